import type { readSignIn as endpoint } from '@coffer/contract/admin/own-sign-in'
import type { readOperator } from '@coffer/contract/admin/sign-in'
import type pg from 'pg'
import type { z } from 'zod'
import type { AdminCall } from '../access.ts'
import { listPasskeys, type ListedPasskeyRow } from '../passkey-queries.ts'
import { IDLE_MINUTES } from '../require-operator.ts'
import { listOwnLogIns, readSignInOf, type OwnLogInRow, type SignInRow } from './queries.ts'

const LOG_INS_SHOWN = 50

type Me = AdminCall['operator']

/** Who is logged in, and what the page should say or offer to them. */
export async function readMe(
  db: pg.Pool,
  { operatorId, email, name, role }: Me,
): Promise<z.output<typeof readOperator.answer>> {
  const { rows } = await db.query<SignInRow>(readSignInOf(operatorId))
  const [row] = rows
  const hasFirstPassword = row?.has_first_password ?? false
  return { email, name, role, hasFirstPassword, hasPasskey: row?.has_passkey ?? false }
}

export async function readSignIn(
  db: pg.Pool,
  { operatorId, logInId }: Me,
): Promise<z.output<typeof endpoint.answer>> {
  const [about, passkeys, logIns] = await Promise.all([
    db.query<SignInRow>(readSignInOf(operatorId)),
    db.query<ListedPasskeyRow>(listPasskeys(operatorId)),
    db.query<OwnLogInRow>(listOwnLogIns(operatorId, IDLE_MINUTES, LOG_INS_SHOWN)),
  ])
  return {
    recoveryCodesLeft: about.rows[0]?.recovery_codes_left ?? 0,
    passkeys: passkeys.rows.map((row) => ({
      id: String(row.id),
      name: row.name,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: row.last_used_at?.toISOString() ?? null,
    })),
    logIns: logIns.rows.map(({ id, device, address, created_at: since, last_seen_at: seen }) => ({
      id,
      isThis: id === logInId,
      device,
      address,
      createdAt: since.toISOString(),
      lastSeenAt: seen.toISOString(),
    })),
  }
}
