import type { Context } from '../context.ts'
import { run } from '../database/statement.ts'
import { ServiceError } from '../service-error.ts'
import { deleteLogIn, type LoggedIn } from './log-in-queries.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** No-op if the login has already ended. */
export async function endLogIn(
  { db }: Pick<Context, 'db'>,
  { userId }: Pick<LoggedIn, 'userId'>,
  id: string,
): Promise<void> {
  if (!UUID.test(id)) throw new ServiceError('INVALID_REQUEST', 'id')
  await run(db, deleteLogIn(id, userId))
}
