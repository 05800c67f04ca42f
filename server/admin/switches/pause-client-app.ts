import type { pauseClientApp as endpoint } from '@coffer/contract/admin/switches'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import { readWish } from './pause-writes.ts'
import { lockAppPause, setAppPause, type AppPauseRow } from './queries.ts'

/** True on every process within a second: it is part of what they remember of a client app. */
export async function pauseClientApp(
  { db }: Pick<Context, 'db'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  input: z.output<typeof endpoint.input>,
): Promise<void> {
  const { clientId } = input
  const pause = readWish(input, operator.email)
  await inTransaction(db, async (tx) => {
    const [row] = (await tx.query<AppPauseRow>(lockAppPause(clientId))).rows
    if (row === undefined) throw new ServiceError('NOT_FOUND')
    await tx.query(setAppPause(clientId, pause))
    const before = { isPaused: row.paused_at !== null, reason: row.pause_reason }
    const after = { isPaused: pause !== null, reason: pause?.reason ?? null }
    await record(tx, { action: 'client_app.pause', subject: clientId, before, after })
  })
}

export function showAppPause({ paused_at: at, paused_by: by, pause_reason: reason }: AppPauseRow) {
  return at && by && reason ? { at: at.toISOString(), by, reason } : null
}
