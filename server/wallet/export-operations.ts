/** Exports what a client app did in a month: page after page, as fast as the client reads. */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import { one } from '../database/statement.ts'
import { READ_ARCHIVED_BEFORE } from '../ledger/partitions/archived-queries.ts'
import type { ReadShares } from '../ledger/read/share-reads.ts'
import { InvalidRequest, Overloaded } from '../service-error.ts'
import { readPage } from './list-own-operations.ts'

const PAGE = 2_000
const PAUSE_MS = 1_000

/** Each page waits for the turn of the app, like a page of the list. Errors are raised before the first byte. */
export async function exportOperations(
  context: Context,
  shares: ReadShares,
  { ledgerAccount }: ClientApp,
  month: string,
): Promise<Readable> {
  const { db, log } = context
  const { from, before } = findMonth(month)
  const archivedBefore = await one(db, READ_ARCHIVED_BEFORE)
  if (archivedBefore && from < archivedBefore) {
    throw new InvalidRequest('This month is archived. Ask the operator for it.', 'month')
  }
  type Page = Awaited<ReturnType<typeof readPage>>
  const read = (last: Page['next'] | undefined) =>
    shares.run(ledgerAccount, () =>
      readPage(context, ledgerAccount, { from, before, last: last ?? undefined, limit: PAGE }),
    )
  const first = await read(undefined)

  async function* writePages() {
    for (let page = first; ;) {
      // Also an empty page, because an export whose client has disconnected stops only here.
      yield page.operations.map((each) => `${JSON.stringify(each)}\n`).join('')
      if (page.archivedBefore) throw new Error('the month was archived during its export')
      if (page.next === null) return
      page = await read(page.next).catch(waitForTurn(page))
    }
  }
  const lines = Readable.from(writePages())
  // The response has started, so no error can be returned: the connection breaks, and the client notices it.
  lines.on('error', (error) => log.error({ err: error }, 'export of operations aborted'))
  return lines
}

/** The read waited too long behind other reads of the app, so the same page is read again. */
function waitForTurn<Page extends { operations: unknown[] }>(page: Page) {
  return async (error: unknown): Promise<Page> => {
    if (!(error instanceof Overloaded)) throw error
    await sleep(PAUSE_MS)
    return { ...page, operations: [] }
  }
}

function findMonth(month: string) {
  const from = new Date(`${month}-01T00:00:00Z`)
  const before = new Date(from)
  before.setUTCMonth(from.getUTCMonth() + 1)
  return { from, before }
}
