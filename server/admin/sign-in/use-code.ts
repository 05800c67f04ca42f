import type pg from 'pg'
import type { Context } from '../../context.ts'
import { run } from '../../database/statement.ts'
import { clearFailures, throttle } from '../../identity/throttle-attempts.ts'
import { ServiceError } from '../../service-error.ts'
import { hashRecoveryCode, openSeed, type AdminKeys } from '../seal-seed.ts'
import { findStep, readRecoveryCode } from './authenticator-codes.ts'
import { useRecoveryCode, useStep, type Operator } from './queries.ts'

type Tools = Pick<Context, 'db' | 'config'>

interface CodeUse {
  means: 'authenticator' | 'recovery_code'
  statement: ReturnType<typeof useStep> | ReturnType<typeof useRecoveryCode>
}

/** Counts an attempt before its result is known. The required wait grows with each one until a code is correct. */
export async function throttleCode(tools: Tools, { email }: Pick<Operator, 'email'>) {
  await throttle(tools, 'admin-code', email)
}

/** `scope`: in which the attempts on the password were counted. */
export async function forgiveTries(
  tools: Tools,
  { email }: Pick<Operator, 'email'>,
  scope: string,
) {
  await clearFailures(tools, 'admin-log-in', email, scope)
  await clearFailures(tools, 'admin-code', email)
}

/** Uses up a code, so that it works only once, also concurrently. Returns its kind. */
export async function useCode(
  tx: pg.ClientBase,
  keys: AdminKeys,
  operator: Operator,
  code: string,
): Promise<CodeUse['means']> {
  const use = readCode(keys, operator, code)
  const used = use && (await run(tx, use.statement))
  if (use === undefined || used !== 1) throw new ServiceError('CODE_INVALID')
  return use.means
}

function readCode(keys: AdminKeys, operator: Operator, code: string): CodeUse | undefined {
  const { id, seed } = operator
  if (seed === undefined) return undefined
  const step = findStep(openSeed(keys, id, seed), code, Date.now())
  if (step !== undefined) return { means: 'authenticator', statement: useStep(id, step) }
  const recovery = readRecoveryCode(code)
  if (recovery === undefined) return undefined
  // Key rotation reseals seeds but cannot rehash recovery codes, so the hash may belong to an older key.
  const hmacs = keys.map((key) => hashRecoveryCode(keys, key.id, id, recovery))
  return { means: 'recovery_code', statement: useRecoveryCode(id, hmacs) }
}
