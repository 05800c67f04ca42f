import type pg from 'pg'
import { clearFailures, throttle } from '../../identity/throttle-attempts.ts'
import { ServiceError } from '../../service-error.ts'
import { findStep, readRecoveryCode } from './authenticator-codes.ts'
import { useRecoveryCode, useStep, type OperatorRow } from '../operator-queries.ts'
import { hashRecoveryCode, openSeed, type AdminKeys } from './seal-seed.ts'

type Using = { query: pg.QueryConfig; means: 'authenticator' | 'recovery_code' }

/** Counts a try, whatever becomes of it; a pause grows with each until one is right. */
export async function throttleCode(db: pg.Pool, { email }: Pick<OperatorRow, 'email'>) {
  await throttle(db, 'admin-code', email)
}

export async function forgiveTries(db: pg.Pool, { email }: Pick<OperatorRow, 'email'>) {
  await clearFailures(db, 'admin-log-in', email)
  await clearFailures(db, 'admin-code', email)
}

/** Uses a code up, so that it works once however many try it at once. Returns what kind it was. */
export async function useCode(
  tx: pg.ClientBase,
  keys: AdminKeys,
  operator: OperatorRow,
  code: string,
): Promise<Using['means']> {
  const using = readCode(keys, operator, code)
  const used = using && (await tx.query(using.query))
  if (using === undefined || used?.rowCount !== 1) throw new ServiceError('CODE_INVALID')
  return using.means
}

function readCode(keys: AdminKeys, operator: OperatorRow, code: string): Using | undefined {
  const { id, totp_seed: sealed, totp_key_id: keyId } = operator
  if (sealed === null || keyId === null) return undefined
  const step = findStep(openSeed(keys, id, { sealed, keyId }), code, Date.now())
  if (step !== undefined) return { query: useStep(id, step), means: 'authenticator' }
  const recovery = readRecoveryCode(code)
  if (recovery === undefined) return undefined
  // A seed is sealed anew when keys rotate, and a hash cannot be, so it may still be one of an older key.
  const hmacs = keys.map((key) => hashRecoveryCode(keys, key.id, id, recovery))
  return { query: useRecoveryCode(id, hmacs), means: 'recovery_code' }
}
