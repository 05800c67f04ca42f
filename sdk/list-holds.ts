/** Lists holds, and requests the next page when the loop needs it. */
import type { Connection } from './check-options.ts'
import { send } from './send.ts'
import type { HoldsInput, ListedHold } from './types.ts'

const path = '/api/server/holds'
/** The most that the service returns. */
const LIMIT = 100

interface Page {
  holds: ListedHold[]
  nextCursor: string | null
}

export async function* listHolds(
  connection: Connection,
  { serviceUserId, state }: HoldsInput,
): AsyncGenerator<ListedHold> {
  let cursor: string | null = null
  do {
    const fields = { serviceUserId, state, limit: LIMIT, cursor: cursor ?? undefined }
    const call = { method: 'GET', path, fields, requiredField: 'holds' } as const
    const page: Page = await send(connection, call)
    yield* page.holds
    cursor = page.nextCursor
  } while (cursor !== null)
}
