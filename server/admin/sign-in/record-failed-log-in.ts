import type pg from 'pg'
import { createRateLimit } from '../../http/rate-limit.ts'
import { ServiceError } from '../../service-error.ts'
import { recordAction } from '../record-action.ts'
import type { Operator } from './queries.ts'

/** Attempts with unknown emails are recorded up to this rate, so that a flood of them cannot fill the audit log. */
const UNKNOWN_PER_MINUTE = 10
const mayRecordUnknown = createRateLimit(UNKNOWN_PER_MINUTE, 60)

/**
 * Records a failed login or confirmation. The email of somebody who is no operator is not stored: it may be a person's,
 * and audit entries cannot be removed.
 */
export async function recordFailedLogIn(
  db: pg.Pool,
  operator: Pick<Operator, 'id' | 'email'> | undefined,
  address: string,
  step: 'password' | 'code',
): Promise<void> {
  if (operator === undefined && !mayRecordUnknown('unknown')) return
  const { id: actorId = null, email: actor = 'unknown' } = operator ?? {}
  await recordAction(
    db,
    { actor, actorId, address },
    { action: 'operator.log_in_failed', subject: operator?.email ?? null, after: { step } },
  )
}

/** Records it if the code is wrong. */
export async function recordingWrongCode<Result>(
  db: pg.Pool,
  operator: Operator,
  address: string,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    const isWrong = error instanceof ServiceError && error.code === 'CODE_INVALID'
    if (isWrong) await recordFailedLogIn(db, operator, address, 'code')
    throw error
  }
}
