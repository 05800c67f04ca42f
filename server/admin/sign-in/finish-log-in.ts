import { CODE_TRIES_MAX } from '@coffer/contract/limits'
import type pg from 'pg'
import { inTransaction } from '../../database/in-transaction.ts'
import { one, run } from '../../database/statement.ts'
import { identifyCaller } from '../../identity/recognize-device.ts'
import { scopeOf } from '../../identity/throttle-attempts.ts'
import { ServiceError } from '../../service-error.ts'
import { recordAction } from '../record-action.ts'
import { hashToken, startLogIn, type Caller } from '../require-operator.ts'
import { hashRecoveryCode, openSeed, type AdminKeys, type SealedSeed } from '../seal-seed.ts'
import { findStep, generateRecoveryCodes } from './authenticator-codes.ts'
import type { LogInTools } from './log-in.ts'
import {
  findActiveOperator,
  setAuthenticator,
  takeTicket,
  tryTicket,
  type Operator,
} from './queries.ts'
import { recordingWrongCode } from './record-failed-log-in.ts'
import { forgiveTries, throttleCode, useCode } from './use-code.ts'

interface FinishedLogIn {
  email: string
  cookie: string
  /** Shown once, after an authenticator is set up. */
  recoveryCodes: string[] | undefined
}

/** The second step of a login: exchanges the ticket and a code for a login, in one transaction. */
export async function finishLogIn(
  { db, keys, config }: LogInTools,
  { ticket, code }: { ticket: string; code: string },
  caller: Caller,
): Promise<FinishedLogIn> {
  const ticketHash = hashToken(ticket)
  const { seed, operator } = await readTicket(db, ticketHash)
  await throttleCode({ db, config }, operator)
  const { address } = caller
  const { email, id: actorId } = operator
  const finished = await recordingWrongCode(db, operator, address, () =>
    inTransaction(db, async (tx) => {
      const taken = await run(tx, takeTicket(ticketHash))
      if (taken !== 1) throw new ServiceError('CODE_INVALID')
      const recoveryCodes = seed && (await enroll(tx, keys, operator, seed, code))
      const means = seed ? 'new_authenticator' : await useCode(tx, keys, operator, code)
      const cookie = await startLogIn(tx, operator.id, caller)
      const action = { action: 'operator.log_in', subject: email, after: { means } }
      await recordAction(tx, { actor: email, actorId, address }, action)
      return { cookie, recoveryCodes }
    }),
  )
  const scope = scopeOf(config.peppers, identifyCaller(config, 'operator', email, caller))
  await forgiveTries({ db, config }, operator, scope)
  return { ...finished, email }
}

async function readTicket(db: pg.Pool, ticketHash: Buffer) {
  const ticket = await one(db, tryTicket(ticketHash, CODE_TRIES_MAX))
  const operator = ticket && (await one(db, findActiveOperator(ticket.operatorId)))
  if (operator === undefined) throw new ServiceError('CODE_INVALID')
  return { seed: ticket?.seed, operator }
}

async function enroll(
  tx: pg.ClientBase,
  keys: AdminKeys,
  { id }: Operator,
  seed: SealedSeed,
  code: string,
): Promise<string[]> {
  const step = findStep(openSeed(keys, id, seed), code, Date.now())
  if (step === undefined) throw new ServiceError('CODE_INVALID')
  const codes = generateRecoveryCodes()
  const hmacs = codes.map((each) => hashRecoveryCode(keys, seed.keyId, id, each))
  const changed = await run(tx, setAuthenticator(id, seed, step, hmacs))
  if (changed !== 1) throw new ServiceError('CODE_INVALID')
  return codes
}
