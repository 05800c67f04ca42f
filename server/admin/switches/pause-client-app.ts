import type { pauseClientApp as endpoint } from '@coffer/contract/admin/switches'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { setAppPause } from '../app-pause-queries.ts'
import { readPauseRequest } from './pause-writes.ts'
import { lockAppPause } from './queries.ts'

/** Takes effect on every process within a second: it is part of the cached client app. */
export async function pauseClientApp(
  { db }: Pick<Context, 'db'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  input: z.output<typeof endpoint.input>,
): Promise<void> {
  const { clientId } = input
  const pause = readPauseRequest(input, operator.email)
  await inTransaction(db, async (tx) => {
    const known = await one(tx, lockAppPause(clientId))
    if (known === undefined) throw new ServiceError('NOT_FOUND')
    await run(tx, setAppPause(clientId, pause))
    const before = { isPaused: known.pause !== null, reason: known.pause?.reason ?? null }
    const after = { isPaused: pause !== null, reason: pause?.reason ?? null }
    await record(tx, { action: 'client_app.pause', subject: clientId, before, after })
  })
}
