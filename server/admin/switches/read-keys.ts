/** What hangs on which key. Only ids and numbers leave here. */
import type { readKeys as endpoint } from '@coffer/contract/admin/switches'
import type { z } from 'zod'
import type { Pepper } from '../../config.ts'
import type { Context } from '../../context.ts'
import {
  COUNT_SECRETS,
  LIST_ADMIN_KEYS,
  listBehind,
  type AdminKeyRow,
  type BehindRow,
  type PepperRow,
} from './queries.ts'

export type KeysState = z.output<typeof endpoint.answer>
type Tools = Pick<Context, 'db'> & {
  config: Pick<Context['config'], 'peppers' | 'adminKeys'>
}

const SHOWN_MAX = 100

export async function readKeys({ db, config }: Tools, most = SHOWN_MAX): Promise<KeysState> {
  const { peppers, adminKeys = [] } = config
  const secrets = (await db.query<PepperRow>(COUNT_SECRETS)).rows
  const operators = (await db.query<AdminKeyRow>(LIST_ADMIN_KEYS)).rows
  const behind = await db.query<BehindRow>(listBehind([peppers[0].id], most))
  const sealed = operators.map((row) => row.totp_key_id)
  const hashed = operators.flatMap((row) => row.recovery_key_id ?? [])
  return {
    peppers: nameKeys(
      peppers,
      secrets.map((row) => row.pepper_id),
    ).map((key) => {
      const row = secrets.find((each) => each.pepper_id === key.id)
      return {
        ...key,
        liveSecrets: Number(row?.live_secrets ?? 0),
        clientApps: Number(row?.client_apps ?? 0),
      }
    }),
    behind: behind.rows.map((row) => ({
      clientId: row.client_id,
      name: row.name,
      isActive: row.is_active,
      pepperId: row.pepper_id,
      lastUsedAt: row.used_at?.toISOString() ?? null,
    })),
    adminKeys: nameKeys(adminKeys, [...sealed, ...hashed]).map((key) => ({
      ...key,
      authenticators: sealed.filter((id) => id === key.id).length,
      recoveryCodes: hashed.filter((id) => id === key.id).length,
    })),
  }
}

/** Those that are configured, in their order, then those that are only used. */
function nameKeys(configured: readonly Pepper[], used: readonly string[]) {
  const known = configured.map(({ id }) => id)
  const others = [...new Set(used)].filter((id) => !known.includes(id)).toSorted()
  return [...known, ...others].map((id) => ({
    id,
    isNewest: id === known[0],
    isKnown: known.includes(id),
  }))
}
