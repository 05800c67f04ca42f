/** The checks of `coffer doctor`. Each finding has a state and, if it is not ok, a fix. */
import type pg from 'pg'
import type { Config } from '../config.ts'
import { many, one, run } from '../database/statement.ts'
import { findMissingMigrations } from '../database/find-missing-migrations.ts'
import { describeMismatch, readCurrency } from '../require-currency.ts'
import { countStrays, listMonths, STRAYS_MAX } from '../ledger/partition-queries.ts'
import { lacksStandby, REQUIRE_STANDBY } from '../ledger/standby-queries.ts'
import { canDeliver } from '../mail/create-mailer.ts'
import { createProcessor, explainFault } from '../processor/stripe.ts'
import * as query from './doctor-queries.ts'
import { examineHosts, type Finding } from './examine-hosts.ts'

const OLDEST_VERSION = 150_000
const CLOCK_MS = 2_000

export async function examineDeployment(config: Config, db: pg.Pool): Promise<Finding[]> {
  const server = await readServer(db)
  if ('state' in server) return [server]
  return [
    ...examineServer(server),
    await examineMigrations(db),
    await examineCurrency(db, config),
    await examineStandby(db, config),
    await examinePartitions(db),
    ...(await examineOrigins(db, config)),
    examineAddress(config),
    ...(await examineHosts(config)),
    await examineMail(config),
    await examineProcessor(config),
    examineAdmin(config),
  ]
}

async function readServer(db: pg.Pool): Promise<query.Server | Finding> {
  try {
    return (await one(db, query.READ_SERVER)) as query.Server
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return {
      state: 'error',
      text: `The database does not respond: ${detail}`,
      fix: 'Check DATABASE_URL, the network, and that the login is a member of coffer_service.',
    }
  }
}

function examineServer(server: query.Server): Finding[] {
  const findings: Finding[] = [{ state: 'ok', text: 'The database responds.' }]
  if (server.version < OLDEST_VERSION) {
    const fix = 'Use PostgreSQL 15 or newer.'
    findings.push({ state: 'error', text: `PostgreSQL is too old (${server.version}).`, fix })
  }
  if (server.isStandby) {
    const fix =
      'Point DATABASE_URL at the primary, through an address that follows it after a failover.'
    findings.push({ state: 'error', text: 'This server is a standby, which is read-only.', fix })
  }
  if (server.fsync !== 'on' || server.synchronousCommit === 'off') {
    const fix = 'Set fsync and synchronous_commit to on in postgresql.conf.'
    const text = 'PostgreSQL can lose acknowledged payments if its machine crashes.'
    findings.push({ state: 'error', text, fix })
  }
  const aheadMs = Math.abs(server.nowMs - Date.now())
  findings.push(
    aheadMs < CLOCK_MS
      ? { state: 'ok', text: 'The clocks of the service and the database agree.' }
      : {
          state: 'warning',
          text: `The clocks of the service and the database differ by ${(aheadMs / 1000).toFixed(1)} s.`,
          fix: 'Synchronize both with NTP. Expiry times use the clock of the database, webhook signatures that of the service.',
        },
  )
  return findings
}

async function examineStandby(db: pg.Pool, { requiresStandby }: Config): Promise<Finding> {
  try {
    await run(db, REQUIRE_STANDBY)
    return { state: 'ok', text: 'A synchronous standby is attached.' }
  } catch (error) {
    if (!lacksStandby(error)) throw error
    const { message, hint } = error as pg.DatabaseError
    return {
      state: requiresStandby ? 'error' : 'warning',
      text: requiresStandby
        ? `Debits and credits are refused, because ${message}.`
        : `No synchronous standby: losing this server loses acknowledged payments (${message}).`,
      fix: `Check synchronous_standby_names and pg_stat_replication on the primary (docs/operations.md). ${hint ?? ''}`,
    }
  }
}

async function examineMigrations(db: pg.Pool): Promise<Finding> {
  const missing = await findMissingMigrations(db)
  if (missing.length === 0) return { state: 'ok', text: 'The schema is up to date.' }
  const fix = 'Run coffer migrate as the owner of the database.'
  return { state: 'error', text: `The schema lacks ${missing.join(', ')}.`, fix }
}

async function examineCurrency(db: pg.Pool, { currency: { code } }: Config): Promise<Finding> {
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

async function examinePartitions(db: pg.Pool): Promise<Finding> {
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
      text: `No partition for ${missing.join(', ')}.`,
      fix: 'The service creates them every hour; its log shows what prevents it (docs/operations.md).',
    }
  }
  return { state: 'ok', text: 'The partitions of the coming months exist.' }
}

async function examineOrigins(db: pg.Pool, { isHttps }: Config): Promise<Finding[]> {
  if (!isHttps) return []
  const origins = await many(db, query.LIST_UNSAFE_ORIGINS).catch(() => [])
  if (origins.length === 0) {
    return [{ state: 'ok', text: 'All registered origins use HTTPS.' }]
  }
  const list = origins.map(({ clientId, origin }) => `${clientId} ${origin}`).join(', ')
  const fix = 'Replace them with https:// origins at /admin/client-apps.'
  return [{ state: 'warning', text: `Registered origins without HTTPS: ${list}.`, fix }]
}

function examineAddress({ publicOrigin, isHttps, trustProxy }: Config): Finding {
  if (publicOrigin === undefined || !isHttps) {
    return {
      state: 'warning',
      text: 'PUBLIC_URL is not an https:// URL.',
      fix: 'Set it to the URL that people use, behind a proxy with TLS. Only test deployments work without.',
    }
  }
  if (trustProxy === true) {
    return {
      state: 'warning',
      text: 'TRUST_PROXY=true trusts X-Forwarded-For from any client, so clients can evade rate limits per address.',
      fix: 'Set it to the addresses or networks of your proxies.',
    }
  }
  return { state: 'ok', text: `The public URL is ${publicOrigin}.` }
}

async function examineMail({ mail }: Config): Promise<Finding> {
  if (mail === undefined) {
    const fix = 'Set SMTP_URL and MAIL_FROM.'
    return { state: 'warning', text: 'No mail server: email addresses are not verified.', fix }
  }
  if (await canDeliver(mail))
    return { state: 'ok', text: 'The mail server accepts the credentials.' }
  const fix = 'Check SMTP_URL: host, port, user and password.'
  return {
    state: 'error',
    text: 'The mail server cannot be reached or refuses the credentials.',
    fix,
  }
}

async function examineProcessor({ stripe: config }: Config): Promise<Finding> {
  const processor = await createProcessor(config)
  if (config === undefined || processor === undefined) {
    const fix = 'Set the three STRIPE_ keys to enable top-ups.'
    return { state: 'warning', text: 'No card processor: top-ups are not available.', fix }
  }
  try {
    await processor.stripe.paymentIntents.list({ limit: 1 })
    const kind = config.isTest ? 'test keys: no real money moves' : 'live keys'
    return { state: 'ok', text: `The card processor accepts the credentials (${kind}).` }
  } catch (error) {
    const detail = JSON.stringify(explainFault(error) ?? 'no response')
    const fix = 'Check STRIPE_SECRET_KEY and that the processor can be reached.'
    return {
      state: 'error',
      text: `The card processor cannot be reached or refuses the credentials: ${detail}.`,
      fix,
    }
  }
}

function examineAdmin({ adminKeys }: Config): Finding {
  if (adminKeys) return { state: 'ok', text: 'The admin area is configured.' }
  const fix = 'Set ADMIN_KEYS, then create an operator with coffer operator create.'
  return { state: 'warning', text: 'The admin area is not configured.', fix }
}
