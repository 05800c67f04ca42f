import type { pauseWrites as endpoint } from '@coffer/contract/admin/switches'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'

export async function pauseWrites(
  { db, ledger, log }: Pick<Context, 'db' | 'ledger' | 'log'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  input: z.output<typeof endpoint.input>,
): Promise<void> {
  const pause = readPauseRequest(input, operator.email)
  await switchWrites({ db, ledger }, pause, record)
  log.warn({ by: operator.email, ...pause }, pause ? 'all writes paused' : 'writes resumed')
}

interface PauseRequest {
  by: string
  reason: string
}

/** `pause` null: resume. Returns whether writes were paused before. */
export function switchWrites(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  pause: PauseRequest | null,
  record: AdminCall['record'],
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const before = await ledger.setPause(pause, tx)
    await record(tx, {
      action: 'writes.pause',
      subject: 'all writes',
      before: { isPaused: before !== null, reason: before?.reason ?? null },
      after: { isPaused: pause !== null, reason: pause?.reason ?? null },
    })
    return before !== null
  })
}

/** A pause needs a reason, which operators see. */
export function readPauseRequest(
  { isPaused, reason }: { isPaused: boolean; reason?: string | undefined },
  by: string,
): PauseRequest | null {
  if (!isPaused) return null
  if (reason === undefined) throw new ServiceError('INVALID_REQUEST', 'reason')
  return { by, reason }
}
