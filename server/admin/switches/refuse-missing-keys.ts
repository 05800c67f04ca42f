import type pg from 'pg'
import { ConfigError, type Config } from '../../config.ts'
import { createPool } from '../../database/connect.ts'
import {
  COUNT_SECRETS,
  LIST_ADMIN_KEYS,
  listBehind,
  type AdminKeyRow,
  type BehindRow,
  type PepperRow,
} from './queries.ts'

const NAMED_MAX = 10
const WAY_OUT =
  'Put it back at the end of the list; coffer keys status tells what still hangs on it. If it is lost for good, set ALLOW_MISSING_KEYS=true to start without it.'

/**
 * A key that was taken away too early shuts out whoever hangs on it, and nobody would know before they call. So the
 * service says it at its start, and does not start unless told to.
 */
export async function refuseMissingKeys(config: Config): Promise<void> {
  if (config.allowMissingKeys) return
  const db = createPool(config.databaseUrl, { size: 1, barrier: false })
  try {
    const faults = [await checkPeppers(db, config), await checkAdminKeys(db, config)]
    const found = faults.filter((fault) => fault !== undefined)
    if (found.length === 0) return
    throw new ConfigError(['The configuration lacks a key:', ...found, WAY_OUT].join('\n'))
  } finally {
    await db.end()
  }
}

async function checkPeppers(db: pg.Pool, { peppers }: Config): Promise<string | undefined> {
  const known = peppers.map(({ id }) => id)
  const { rows } = await db.query<PepperRow>(COUNT_SECRETS)
  const lost = rows.filter((row) => !known.includes(row.pepper_id))
  if (lost.length === 0) return undefined
  const apps = await db.query<BehindRow>(listBehind(known, NAMED_MAX + 1))
  const names = apps.rows.map(
    (app) => `${app.name} (${app.client_id}${app.is_active ? '' : ', inactive'})`,
  )
  const ids = lost.map((row) => row.pepper_id).join(', ')
  return `  SECRET_PEPPERS lacks ${ids}. The live secrets of these client apps would be refused: ${listSome(names)}.`
}

/** Without any there is no /admin, and nobody to shut out. */
async function checkAdminKeys(db: pg.Pool, { adminKeys }: Config): Promise<string | undefined> {
  const { rows } = await db.query<AdminKeyRow>(LIST_ADMIN_KEYS)
  const isLost = (id: string | null) => id !== null && adminKeys?.every((key) => key.id !== id)
  const sealed = rows.filter((row) => isLost(row.totp_key_id))
  const hashed = rows.filter((row) => isLost(row.recovery_key_id))
  if (sealed.length === 0 && hashed.length === 0) return undefined
  const used = [
    ...sealed.map((row) => row.totp_key_id),
    ...hashed.map((row) => row.recovery_key_id),
  ]
  const lacks = `  ADMIN_KEYS lacks ${[...new Set(used)].join(', ')}.`
  const who = (operators: AdminKeyRow[]) => listSome(operators.map(({ email }) => email))
  return sealed.length > 0
    ? `${lacks} These operators could not log in: ${who(sealed)}.`
    : `${lacks} The recovery codes of these operators would not work: ${who(hashed)}.`
}

function listSome(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX).join(', ')
  return names.length > NAMED_MAX ? `${shown} and others` : shown
}
