/** Lists operations, and requests the next page when the loop needs it. */
import type { Connection } from './check-options.ts'
import { send } from './send.ts'
import type { ListedOperation, OperationsInput } from './types.ts'

const path = '/api/server/operations/list'
/** The most that the service returns. */
const LIMIT = 100

interface Page {
  operations: ListedOperation[]
  nextCursor: string | null
}

export async function* listOperations(
  connection: Connection,
  { from, to }: OperationsInput,
): AsyncGenerator<ListedOperation> {
  let cursor: string | null = null
  do {
    const fields = { from, to, limit: LIMIT, cursor: cursor ?? undefined }
    const call = { method: 'GET', path, fields, requiredField: 'operations' } as const
    const page: Page = await send(connection, call)
    yield* page.operations
    cursor = page.nextCursor
  } while (cursor !== null)
}
