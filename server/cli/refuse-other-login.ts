import pg from 'pg'
import { ownerConfig } from '../database/connect.ts'
import { one } from '../database/statement.ts'
import { READ_LOGIN } from './login-queries.ts'

/** `coffer migrate` changes tables and creates a role. With another login it would fail in the middle of its first step. */
export async function refuseOtherLogin(databaseUrl: string): Promise<void> {
  const client = new pg.Client(ownerConfig(databaseUrl))
  client.on('error', () => undefined)
  await client.connect()
  const found = await one(client, READ_LOGIN)
  await client.end()
  if (found === undefined) return
  const { login, owner, ownsSchema, mayCreateRoles } = found
  if (!ownsSchema) {
    throw new Error(
      `The login ${login} may not change the schema, which belongs to ${owner}.\n` +
        `Run coffer migrate with the DATABASE_URL of ${owner}.`,
    )
  }
  if (!mayCreateRoles) {
    throw new Error(
      `The login ${login} may not create the role coffer_service.\n` +
        `Run as a superuser: alter role ${login} createrole`,
    )
  }
}
