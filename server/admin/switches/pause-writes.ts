import type { pauseWrites as endpoint } from '@coffer/contract/admin/switches'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import type { Action } from '../record-action.ts'

export async function pauseWrites(
  { db, ledger, log }: Pick<Context, 'db' | 'ledger' | 'log'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  input: z.output<typeof endpoint.input>,
): Promise<void> {
  const pause = readPauseRequest(input, operator.email)
  await switchWrites(ledger, pause, (action) => record(db, action))
  log.warn({ by: operator.email, ...pause }, pause ? 'all writes paused' : 'writes resumed')
}

interface PauseRequest {
  by: string
  reason: string
}

/**
 * `pause` null: resume. Returns whether writes were paused before. The ledger has its own transactions, so the audit
 * entry is written afterwards; the stored pause itself names the operator.
 */
export async function switchWrites(
  ledger: Context['ledger'],
  pause: PauseRequest | null,
  record: (action: Action) => Promise<void>,
): Promise<boolean> {
  const before = await ledger.setPause(pause)
  await record({
    action: 'writes.pause',
    subject: 'all writes',
    before: { isPaused: before !== null, reason: before?.reason ?? null },
    after: { isPaused: pause !== null, reason: pause?.reason ?? null },
  })
  return before !== null
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
