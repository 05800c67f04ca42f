import type pg from 'pg'
import { ConfigError, type Config } from '../../config.ts'
import { createPool } from '../../database/connect.ts'
import { many } from '../../database/statement.ts'
import {
  COUNT_SECRETS,
  LIST_ADMIN_KEYS,
  listOutdatedSecrets,
  listSealedOtherwise,
  type AdminKeyUse,
} from './queries.ts'

const NAMED_MAX = 10
const HOW_TO_FIX =
  'Add the key at the end of the list again; coffer keys status shows what it still protects. If the key is lost, set ALLOW_MISSING_KEYS=true to start without it.'

/**
 * Removing a key too early locks out the client apps and operators that still need it, which would be noticed only when
 * they call. So the service refuses to start without it, unless ALLOW_MISSING_KEYS is set.
 */
export async function refuseMissingKeys(config: Config): Promise<void> {
  if (config.allowMissingKeys) return
  const db = createPool(config.databaseUrl, { size: 1, barrier: false })
  try {
    const problems = [
      await checkPeppers(db, config),
      await checkWebhooks(db, config),
      await checkAdminKeys(db, config),
    ]
    const found = problems.filter((problem) => problem !== undefined)
    if (found.length === 0) return
    throw new ConfigError(
      ['Invalid configuration: a key is missing.', ...found, HOW_TO_FIX].join('\n'),
    )
  } finally {
    await db.end()
  }
}

async function checkPeppers(db: pg.Pool, { peppers }: Config): Promise<string | undefined> {
  const known = peppers.map(({ id }) => id)
  const uses = await many(db, COUNT_SECRETS)
  const lost = uses.filter(({ pepperId }) => !known.includes(pepperId))
  if (lost.length === 0) return undefined
  const apps = await many(db, listOutdatedSecrets(known, NAMED_MAX + 1))
  const names = apps.map(
    (app) => `${app.name} (${app.clientId}${app.isActive ? '' : ', inactive'})`,
  )
  const ids = lost.map(({ pepperId }) => pepperId).join(', ')
  return `  SECRET_PEPPERS is missing ${ids}. Live secrets of these client apps would be rejected: ${listSome(names)}.`
}

async function checkWebhooks(db: pg.Pool, { peppers }: Config): Promise<string | undefined> {
  const known = peppers.map(({ id }) => id)
  const lost = await many(db, listSealedOtherwise(known, NAMED_MAX + 1))
  if (lost.length === 0) return undefined
  const ids = [...new Set(lost.map(({ pepperId }) => pepperId))].join(', ')
  const names = [...new Set(lost.map(({ name }) => name))]
  return `  SECRET_PEPPERS is missing ${ids}. Webhooks of these client apps could not be signed: ${listSome(names)}.`
}

/** Without any key /admin is off, so no operator can be locked out. */
async function checkAdminKeys(db: pg.Pool, { adminKeys }: Config): Promise<string | undefined> {
  const uses = await many(db, LIST_ADMIN_KEYS)
  const isLost = (id: string | null) => id !== null && adminKeys?.every((key) => key.id !== id)
  const sealed = uses.filter(({ seedKeyId }) => isLost(seedKeyId))
  const hashed = uses.filter(({ recoveryKeyId }) => isLost(recoveryKeyId))
  if (sealed.length === 0 && hashed.length === 0) return undefined
  const used = [
    ...sealed.map(({ seedKeyId }) => seedKeyId),
    ...hashed.map(({ recoveryKeyId }) => recoveryKeyId),
  ]
  const missing = `  ADMIN_KEYS is missing ${[...new Set(used)].join(', ')}.`
  const emailsOf = (operators: AdminKeyUse[]) => listSome(operators.map(({ email }) => email))
  return sealed.length > 0
    ? `${missing} These operators could not log in: ${emailsOf(sealed)}.`
    : `${missing} The recovery codes of these operators would not work: ${emailsOf(hashed)}.`
}

function listSome(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_MAX).join(', ')
  return names.length > NAMED_MAX ? `${shown} and others` : shown
}
