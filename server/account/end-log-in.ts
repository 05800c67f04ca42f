import type { Context } from '../context.ts'
import { ServiceError } from '../service-error.ts'
import { deleteLogIn } from './log-in-queries.ts'
import type { LoggedIn } from './require-log-in.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** One that has ended already is ended. */
export async function endLogIn(
  { db }: Pick<Context, 'db'>,
  { userId }: Pick<LoggedIn, 'userId'>,
  id: string,
): Promise<void> {
  if (!UUID.test(id)) throw new ServiceError('INVALID_REQUEST', 'id')
  await db.query(deleteLogIn(id, userId))
}
