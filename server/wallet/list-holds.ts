/** Lists the holds of a client app, newest first. */
import type { listHolds as endpoint } from '@coffer/contract/server/holds'
import { TRANSACTIONS_DEFAULT } from '@coffer/contract/limits'
import { toWireNumber } from '@coffer/contract/money'
import type { z } from 'zod'
import type { ClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import { ReadShares } from '../ledger/read/share-reads.ts'
import type { Hold } from '../ledger/types.ts'
import { InvalidRequest } from '../service-error.ts'
import { findWallet } from './find-wallet.ts'

type Input = z.output<typeof endpoint.input>
type Page = z.output<typeof endpoint.response>

type State = Page['holds'][number]['state']

const STATES = { capture: 'captured', release: 'released', expiry: 'expired' } as const

/** Limits each app to one of the two connections, so that one app cannot block the others. */
export function createHoldLister(context: Context) {
  const shares = new ReadShares({ atOnce: 2, perScope: 1, waitingMax: 64 })
  return (clientApp: ClientApp, input: Input): Promise<Page> =>
    shares.run(clientApp.ledgerAccount, () => listHolds(context, clientApp, input))
}

async function listHolds(
  context: Context,
  clientApp: ClientApp,
  { serviceUserId, state, cursor, limit = TRANSACTIONS_DEFAULT }: Input,
): Promise<Page> {
  const { ledger, findIdsAt } = context
  const { ledgerAccount } = clientApp
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const wallet =
    serviceUserId === undefined ? undefined : await findWallet(context, clientApp, serviceUserId)
  const search = { account: ledgerAccount, walletId: wallet?.id, state, after }
  // One more than the page shows whether there is a next page.
  const found = await ledger.holds.list({ ...search, limit: limit + 1 })
  const holds = found.slice(0, limit)
  const userIds = await findIdsAt(ledgerAccount, holds)
  const last = found.length > limit ? holds.at(-1) : undefined
  return {
    holds: holds.map((hold, index) => showHold(context, hold, state, userIds[index] ?? '')),
    nextCursor: last ? `${last.createdAtMs}.${last.digest}` : null,
  }
}

/** The search is within the app, so a cursor of another app shows nothing of it. */
function readCursor(cursor: string): Pick<Hold, 'createdAtMs' | 'digest'> {
  const [, time, digest] = /^(\d{1,14})\.([0-9a-f]{32})$/.exec(cursor) ?? []
  if (time === undefined || digest === undefined) {
    const expected = 'must be the nextCursor of the previous page'
    throw new InvalidRequest(`The field cursor ${expected}.`, 'cursor')
  }
  return { createdAtMs: Number(time), digest }
}

function showHold(
  { config: { currency } }: Context,
  hold: Hold,
  known: State | undefined,
  serviceUserId: string,
): Page['holds'][number] {
  const { closedBy, expiresAtMs, referenceType, referenceId } = hold
  // A hold whose time is over expires with the next operation on its wallet.
  const unbooked = expiresAtMs <= Date.now() ? 'expired' : 'open'
  const state = known ?? (closedBy === null ? unbooked : STATES[closedBy as keyof typeof STATES])
  return {
    state,
    amount: toWireNumber(hold.amount, currency),
    captured: toWireNumber(hold.captured, currency),
    held: toWireNumber(state === 'open' ? hold.remaining : 0n, currency),
    currency: currency.code,
    referenceType,
    referenceId,
    serviceUserId,
    expiresAt: new Date(expiresAtMs).toISOString(),
    createdAt: new Date(hold.createdAtMs).toISOString(),
  }
}
