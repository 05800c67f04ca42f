/** The database: the server, the schema and what the schema records. */
import type pg from 'pg'
import { LIST_FINGERPRINTS } from '../../admin/switches/fingerprint-queries.ts'
import {
  describeWrongKey,
  findWrongKeys,
  isSameKey,
  USE_RIGHT_KEY,
} from '../../admin/switches/require-keys.ts'
import type { Config } from '../../config.ts'
import { findMissingMigrations } from '../../database/find-missing-migrations.ts'
import { many, one, run } from '../../database/statement.ts'
import { countStrays, listMonths, STRAYS_MAX } from '../../ledger/partitions/partition-queries.ts'
import { READ_PAUSE } from '../../ledger/pause-queries.ts'
import { lacksStandby, REQUIRE_STANDBY } from '../../ledger/post/standby-queries.ts'
import { describeMismatch, readCurrency } from '../../require-currency.ts'
import { isDemo } from '../../database/require-demo.ts'
import { LIVE_DEMO, USE_ANOTHER } from '../../refuse-start.ts'
import { nameOf, namesOf } from '../check-key-copy.ts'
import { explainError } from '../explain-error.ts'
import { error, ok, warning, type Finding } from './finding.ts'
import * as query from './queries.ts'

const OLDEST_VERSION = 150_000
const CLOCK_MS = 2_000
const DAY_MS = 24 * 60 * 60 * 1000
const COPY_DAYS = 90
/** A code of an authenticator is valid for about this long, so operators cannot log in. */
const WRONG_CLOCK_SECONDS = 60

export async function readServer(db: pg.Pool): Promise<query.Server | Finding> {
  try {
    return (await one(db, query.READ_SERVER)) as query.Server
  } catch (cause) {
    const [text = '', fix] = explainError(cause).split('\n')
    return {
      state: 'error',
      text: `The database does not respond: ${text}`,
      fix:
        fix ?? 'Check DATABASE_URL, the network, and that the login is a member of coffer_service.',
    }
  }
}

export function examineServer(server: query.Server): Finding[] {
  const findings: Finding[] = [{ state: 'ok', text: 'The database responds.' }]
  if (server.version < OLDEST_VERSION) {
    const major = Math.floor(server.version / 10_000)
    const fix = 'Upgrade the server to PostgreSQL 15 or newer.'
    findings.push(error(`PostgreSQL ${major} is too old.`, fix))
  }
  if (server.isStandby) {
    const fix =
      'Point DATABASE_URL at the primary, through an address that follows it after a failover.'
    findings.push({ state: 'error', text: 'This server is a standby, which is read-only.', fix })
  }
  if (server.fsync !== 'on' || server.synchronousCommit === 'off') {
    findings.push(
      error(
        `PostgreSQL can lose acknowledged payments if its machine crashes (fsync = ${server.fsync}, synchronous_commit = ${server.synchronousCommit}).`,
        'Set fsync and synchronous_commit to on in postgresql.conf, and reload it.',
      ),
    )
  }
  findings.push(examineClock(server.nowMs))
  return findings
}

export function examineClock(databaseMs: number): Finding {
  const aheadMs = Date.now() - databaseMs
  const seconds = Math.abs(aheadMs) / 1000
  if (Math.abs(aheadMs) < CLOCK_MS) {
    return ok('The clocks of this machine and the database agree.')
  }
  const text = `The clock of this machine is ${seconds.toFixed(seconds < 60 ? 1 : 0)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the database.`
  const fix =
    'Synchronize both machines with NTP. Operations, holds and logins use the clock of the database; the signatures of webhooks use that of the service, and Stripe allows a difference of 300 s.'
  return seconds < WRONG_CLOCK_SECONDS ? warning(text, fix) : error(text, fix)
}

export async function examineStandby(db: pg.Pool, { requiresStandby }: Config): Promise<Finding> {
  try {
    await run(db, REQUIRE_STANDBY)
    return { state: 'ok', text: 'A synchronous standby is attached.' }
  } catch (cause) {
    if (!lacksStandby(cause)) throw cause
    const { message, hint } = cause as pg.DatabaseError
    return {
      state: requiresStandby ? 'error' : 'warning',
      text: requiresStandby
        ? `Debits and credits are refused, because ${message}.`
        : `No synchronous standby: losing this server loses acknowledged payments (${message}).`,
      fix: `Check synchronous_standby_names and pg_stat_replication on the primary (docs/operations.md).${hint === undefined ? '' : ` ${hint}`}`,
    }
  }
}

export async function examineMigrations(db: pg.Pool): Promise<Finding> {
  const missing = await findMissingMigrations(db)
  if (missing.length === 0) return ok('The schema is up to date.')
  const fix = 'Run coffer migrate as the owner of the database.'
  if (missing[0]?.startsWith('0001-')) return error('The database has no schema yet.', fix)
  return error(`The schema lacks ${missing.join(', ')}.`, fix)
}

export async function examineCurrency(
  db: pg.Pool,
  { currency: { code } }: Config,
): Promise<Finding> {
  const recorded = await readCurrency(db)
  if (recorded === undefined) {
    const text = 'The database has no currency yet.'
    return {
      state: 'warning',
      text,
      fix: `The next start of the service records CURRENCY=${code}.`,
    }
  }
  if (recorded === code) {
    return { state: 'ok', text: `The amounts in this database are in ${code}, as configured.` }
  }
  return {
    state: 'error',
    text: describeMismatch(recorded, code),
    fix: `Set CURRENCY=${recorded}.`,
  }
}

export async function examineDemo(db: pg.Pool, { stripe }: Config): Promise<Finding[]> {
  if (!(await isDemo(db))) return []
  const isLive = stripe !== undefined && !stripe.isTest
  return [
    isLive
      ? error(LIVE_DEMO, USE_ANOTHER)
      : warning(
          'This database was created as a demo, so it may contain balances that no payment backs.',
          USE_ANOTHER,
        ),
  ]
}

export async function examineKeys(db: pg.Pool, config: Config): Promise<Finding[]> {
  const wrong = await findWrongKeys(db, config)
  if (wrong.length === 0) return [ok('All keys match the fingerprints in the database.')]
  return wrong.map((key) => error(describeWrongKey(key), USE_RIGHT_KEY))
}

/** A backup is of no use without the keys, and they are not part of it. */
export async function examineKeyCopies(db: pg.Pool, config: Config): Promise<Finding> {
  const recorded = await many(db, LIST_FINGERPRINTS)
  const checks = namesOf(config).map((key) => {
    const { copyCheckedAt = null } = recorded.find((other) => isSameKey(key, other)) ?? {}
    return { name: nameOf(key), ageMs: Date.now() - (copyCheckedAt?.getTime() ?? 0), copyCheckedAt }
  })
  const never = checks.filter(({ copyCheckedAt }) => copyCheckedAt === null)
  if (never.length > 0) {
    const names = never.map(({ name }) => name).join(', ')
    return warning(
      `No copy of these keys was ever checked: ${names}. If this machine is lost, so are they, and a backup does not contain them.`,
      'Run coffer keys export FILE, store the file elsewhere, then run coffer keys check FILE.',
    )
  }
  const days = Math.floor(Math.max(...checks.map(({ ageMs }) => ageMs)) / DAY_MS)
  if (days > COPY_DAYS) {
    const fix = 'Run coffer keys check FILE with the stored copy.'
    return warning(`The copy of the keys was last checked ${days} days ago.`, fix)
  }
  return ok(`The copy of the keys was checked ${days} days ago.`)
}

export async function examinePause(db: pg.Pool): Promise<Finding> {
  const pause = await one(db, READ_PAUSE)
  if (!pause) return ok('Writes are not paused.')
  const { at, by, reason } = pause
  return warning(
    `All writes have been paused since ${at.toISOString()} by ${by}: ${reason}`,
    'When the reason is gone, run coffer resume.',
  )
}

export async function examinePartitions(db: pg.Pool): Promise<Finding> {
  const failed = {
    state: 'error',
    text: 'The books cannot be read.',
    fix: 'Run coffer migrate, and grant coffer_service to the login.',
  } as const
  const months = await many(db, listMonths(2)).catch(() => undefined)
  const strays = await one(db, countStrays()).catch(() => undefined)
  if (months === undefined || strays === undefined) return failed
  if (strays > 0) {
    const rows = `${strays}${strays === STRAYS_MAX ? ' or more' : ''}`
    return {
      state: 'warning',
      text: `The default partition of the operations has rows: ${rows}.`,
      fix: 'Run coffer repair-partitions as the owner of the database.',
    }
  }
  const missing = months.filter(({ hasPartition }) => !hasPartition).map(({ month }) => month)
  if (missing.length > 0) {
    return {
      state: 'warning',
      text: `The ledger has no partition for ${missing.join(', ')}.`,
      fix: 'The service creates them at its start and every hour. If it runs, search its log for "could not create a partition", which says why (docs/operations.md, Partitions).',
    }
  }
  return { state: 'ok', text: 'The partitions of the coming months exist.' }
}

export async function examineOrigins(db: pg.Pool, { isHttps }: Config): Promise<Finding[]> {
  if (!isHttps) return []
  const origins = await many(db, query.LIST_UNSAFE_ORIGINS).catch(() => [])
  if (origins.length === 0) {
    return [{ state: 'ok', text: 'All registered origins use HTTPS.' }]
  }
  const list = origins.map(({ clientId, origin }) => `${clientId} ${origin}`).join(', ')
  const fix = 'Replace them with https:// origins at /admin/client-apps.'
  return [{ state: 'warning', text: `Registered origins without HTTPS: ${list}.`, fix }]
}
