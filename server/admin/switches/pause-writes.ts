import type { pauseWrites as endpoint } from '@coffer/contract/admin/switches'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Pause } from '../../ledger/types.ts'
import { ServiceError } from '../../service-error.ts'
import type { AdminCall } from '../access.ts'
import type { Action } from '../record-action.ts'

export async function pauseWrites(
  { db, ledger, log }: Pick<Context, 'db' | 'ledger' | 'log'>,
  { operator, record }: Pick<AdminCall, 'operator' | 'record'>,
  input: z.output<typeof endpoint.input>,
): Promise<void> {
  const pause = readWish(input, operator.email)
  await switchWrites(ledger, pause, (action) => record(db, action))
  log.warn({ by: operator.email, ...pause }, pause ? 'all writes are paused' : 'writes go on')
}

interface Wish {
  by: string
  reason: string
}

/**
 * null: go on. Returns whether writes were paused before. The books have transactions of their own, so the entry
 * follows right after; the pause itself tells by whom it is.
 */
export async function switchWrites(
  ledger: Context['ledger'],
  pause: Wish | null,
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

/** Nobody should have to guess why nothing moves. */
export function readWish(
  { isPaused, reason }: { isPaused: boolean; reason?: string | undefined },
  by: string,
): Wish | null {
  if (!isPaused) return null
  if (reason === undefined) throw new ServiceError('INVALID_REQUEST', 'reason')
  return { by, reason }
}

export function showPause(pause: Pause | null) {
  return pause && { ...pause, at: pause.at.toISOString() }
}
