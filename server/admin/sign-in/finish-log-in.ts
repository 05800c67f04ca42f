import { CODE_TRIES_MAX } from '@coffer/contract/limits'
import type pg from 'pg'
import { inTransaction } from '../../database/in-transaction.ts'
import { ServiceError } from '../../service-error.ts'
import { findStep, generateRecoveryCodes } from './authenticator-codes.ts'
import { takeTicket, tryTicket, type TicketRow } from '../log-in-queries.ts'
import type { LogInTools } from './log-in.ts'
import { findActiveOperator, setAuthenticator, type OperatorRow } from '../operator-queries.ts'
import { recordAction } from '../record-action.ts'
import { hashToken, startLogIn, type Caller } from '../require-operator.ts'
import { hashRecoveryCode, openSeed, type AdminKeys, type SealedSeed } from './seal-seed.ts'
import { forgiveTries, throttleCode, useCode } from './use-code.ts'

interface Entered {
  cookie: string
  /** Shown once, after an authenticator was set up. */
  recoveryCodes: string[] | undefined
}

/** The second half: with a code the ticket becomes a log-in, in one step or not at all. */
export async function finishLogIn(
  { db, keys }: LogInTools,
  { ticket, code }: { ticket: string; code: string },
  caller: Caller,
): Promise<Entered> {
  const ticketHash = hashToken(ticket)
  const { row, operator } = await readTicket(db, ticketHash)
  await throttleCode(db, operator)
  const entered = await inTransaction(db, async (tx) => {
    const taken = await tx.query(takeTicket(ticketHash))
    if (taken.rowCount !== 1) throw new ServiceError('CODE_INVALID')
    const { totp_seed: sealed, totp_key_id: keyId } = row
    const seed = sealed && keyId ? { sealed, keyId } : undefined
    const recoveryCodes = seed && (await enroll(tx, keys, operator, seed, code))
    const means = seed ? 'new_authenticator' : await useCode(tx, keys, operator, code)
    const cookie = await startLogIn(tx, operator.id, caller)
    const actor = { actor: operator.email, actorId: operator.id, address: caller.address }
    await recordAction(tx, actor, {
      action: 'operator.log_in',
      subject: operator.email,
      after: { means },
    })
    return { cookie, recoveryCodes }
  })
  await forgiveTries(db, operator)
  return entered
}

async function readTicket(db: pg.Pool, ticketHash: Buffer) {
  const tried = await db.query<TicketRow>(tryTicket(ticketHash, CODE_TRIES_MAX))
  const [row] = tried.rows
  const found = row && (await db.query<OperatorRow>(findActiveOperator(row.operator_id)))
  const operator = found?.rows[0]
  if (row === undefined || operator === undefined) throw new ServiceError('CODE_INVALID')
  return { row, operator }
}

async function enroll(
  tx: pg.ClientBase,
  keys: AdminKeys,
  { id }: OperatorRow,
  seed: SealedSeed,
  code: string,
): Promise<string[]> {
  const step = findStep(openSeed(keys, id, seed), code, Date.now())
  if (step === undefined) throw new ServiceError('CODE_INVALID')
  const codes = generateRecoveryCodes()
  const hmacs = codes.map((each) => hashRecoveryCode(keys, seed.keyId, id, each))
  const { rowCount } = await tx.query(setAuthenticator(id, seed, step, hmacs))
  if (rowCount !== 1) throw new ServiceError('CODE_INVALID')
  return codes
}
