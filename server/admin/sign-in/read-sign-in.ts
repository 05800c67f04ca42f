import type { readSignIn as endpoint } from '@coffer/contract/admin/own-sign-in'
import type { readOperator } from '@coffer/contract/admin/sign-in'
import type pg from 'pg'
import type { z } from 'zod'
import { many, one } from '../../database/statement.ts'
import { listPasskeys, OPERATORS } from '../../identity/passkeys/queries.ts'
import type { AdminCall } from '../access.ts'
import { IDLE_MINUTES } from '../require-operator.ts'
import { listOwnLogIns, readSignInOf } from './queries.ts'

const LOG_INS_SHOWN = 50

type Me = AdminCall['operator']

/** The operator who is logged in, and what the page should remind them of. */
export async function readMe(
  db: pg.Pool,
  { operatorId, email, name, role }: Me,
): Promise<z.output<typeof readOperator.response>> {
  const state = await one(db, readSignInOf(operatorId))
  const { hasInitialPassword = false, hasPasskey = false } = state ?? {}
  return { email, name, role, hasInitialPassword, hasPasskey }
}

export async function readSignIn(
  db: pg.Pool,
  { operatorId, logInId }: Me,
): Promise<z.output<typeof endpoint.response>> {
  const [state, passkeys, logIns] = await Promise.all([
    one(db, readSignInOf(operatorId)),
    many(db, listPasskeys(OPERATORS, operatorId)),
    many(db, listOwnLogIns(operatorId, IDLE_MINUTES, LOG_INS_SHOWN)),
  ])
  return {
    recoveryCodesLeft: state?.recoveryCodesLeft ?? 0,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id: String(id),
      name,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
    })),
    logIns: logIns.map(({ id, device, address, createdAt, lastSeenAt }) => ({
      id,
      isThis: id === logInId,
      device,
      address,
      createdAt: createdAt.toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
    })),
  }
}
