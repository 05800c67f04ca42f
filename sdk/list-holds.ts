/** Lists holds, and requests the next page when the loop needs it. */
import type { Line } from './check-options.ts'
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
  line: Line,
  { serviceUserId, state }: HoldsInput,
): AsyncGenerator<ListedHold> {
  let cursor: string | null = null
  do {
    const fields = { serviceUserId, state, limit: LIMIT, cursor: cursor ?? undefined }
    const page: Page = await send(line, { method: 'GET', path, fields, proof: 'holds' })
    yield* page.holds
    cursor = page.nextCursor
  } while (cursor !== null)
}
