/** After an attack: nothing was written, the books are correct, and the service works. */
import { debit } from '@coffer/contract/server/wallet'
import pg from 'pg'
import { clientConfig } from '../../server/database/connect.ts'
import { verify } from '../../server/ledger/verify/verify.ts'
import { post } from '../../server/test/client.ts'
import { makeClientApp, makeLinkedUser } from '../../server/test/factories.ts'
import type { Harness } from '../../server/test/harness.ts'
import { compareDigests, digestState, type Digest } from './digest-state.ts'

export interface Afterwards {
  /** Tables that changed; there must be none. */
  changes: string[]
  tables: number
  /** The status of a normal debit that is sent to the real process. */
  debitStatus: number
  /** The first bad row of the books; undefined: the books are correct. */
  fault: string | undefined
}

export async function checkAfterwards({
  harness,
  before,
  port,
}: {
  harness: Harness
  before: Digest
  port: number
}): Promise<Afterwards> {
  const after = await digestState(harness.admin)
  const app = await makeClientApp(harness.context, { name: 'Afterwards' })
  const { serviceUserId } = await makeLinkedUser(harness.context, app, 10_00n)
  const { clientId, clientSecret } = app
  const reference = { referenceType: 'ORDER', referenceId: 'afterwards' }
  const fields = { clientId, clientSecret, serviceUserId, amount: 1.5, ...reference }
  const { status } = await post(`http://127.0.0.1:${port}`, debit.path, fields)
  const client = new pg.Client(clientConfig(harness.databaseUrl))
  await client.connect()
  const { fault } = await verify(client, {})
  await client.end()
  return {
    changes: compareDigests(before, after),
    tables: Object.keys(before).length,
    debitStatus: status,
    fault,
  }
}
