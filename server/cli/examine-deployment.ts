/** What `coffer doctor` looks at. Each finding says how it is and, where it is not well, how to mend it. */
import type pg from 'pg'
import type { Config } from '../config.ts'
import { findMissingMigrations } from '../database/find-missing-migrations.ts'
import { describeMismatch, readCurrency } from '../require-currency.ts'
import { lacksStandby, REQUIRE_STANDBY } from '../ledger/standby-queries.ts'
import { canDeliver } from '../mail/create-mailer.ts'
import { createProcessor, explainFault } from '../processor/stripe.ts'
import * as query from './doctor-queries.ts'

export interface Finding {
  /** well; odd: it works, but look at it; ill: it does not work, or money is at risk. */
  state: 'well' | 'odd' | 'ill'
  text: string
  mend?: string
}

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
    await examineMail(config),
    await examineProcessor(config),
    examineAdmin(config),
  ]
}

async function readServer(db: pg.Pool): Promise<query.ServerRow | Finding> {
  try {
    const { rows } = await db.query<query.ServerRow>(query.READ_SERVER)
    return rows[0] as query.ServerRow
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return {
      state: 'ill',
      text: `The database does not answer: ${detail}`,
      mend: 'Check DATABASE_URL, the network, and that its login is a member of coffer_service.',
    }
  }
}

function examineServer(server: query.ServerRow): Finding[] {
  const findings: Finding[] = [{ state: 'well', text: 'The database answers.' }]
  if (server.version < OLDEST_VERSION) {
    const mend = 'Use PostgreSQL 15 or newer.'
    findings.push({ state: 'ill', text: `PostgreSQL is too old (${server.version}).`, mend })
  }
  if (server.is_standby) {
    const mend = 'Let DATABASE_URL lead to the primary, through an address that follows it.'
    findings.push({ state: 'ill', text: 'This is a standby: it takes no writes.', mend })
  }
  if (server.fsync !== 'on' || server.synchronous_commit === 'off') {
    const mend = 'Set fsync and synchronous_commit to on in postgresql.conf.'
    const text = 'PostgreSQL may lose what it acknowledged when its machine dies.'
    findings.push({ state: 'ill', text, mend })
  }
  const aheadMs = Math.abs(Number(server.now_ms) - Date.now())
  findings.push(
    aheadMs < CLOCK_MS
      ? { state: 'well', text: 'The clocks of the service and the database agree.' }
      : {
          state: 'odd',
          text: `The clocks of the service and the database differ by ${(aheadMs / 1000).toFixed(1)} s.`,
          mend: 'Run a time service on both. Expiry follows the database; signatures of webhooks follow the service.',
        },
  )
  return findings
}

async function examineStandby(db: pg.Pool, { requiresStandby }: Config): Promise<Finding> {
  try {
    await db.query(REQUIRE_STANDBY)
    return { state: 'well', text: 'A synchronous standby is attached.' }
  } catch (error) {
    if (!lacksStandby(error)) throw error
    const { message, hint } = error as pg.DatabaseError
    return {
      state: requiresStandby ? 'ill' : 'odd',
      text: requiresStandby
        ? `No debit or credit is taken, because ${message}.`
        : `What was acknowledged dies with the only server: ${message}.`,
      mend: `Look at synchronous_standby_names and pg_stat_replication on the primary (docs/operations.md). ${hint ?? ''}`,
    }
  }
}

async function examineMigrations(db: pg.Pool): Promise<Finding> {
  const missing = await findMissingMigrations(db)
  if (missing.length === 0) return { state: 'well', text: 'The schema is up to date.' }
  const mend = 'Run coffer migrate as the owner of the database.'
  return { state: 'ill', text: `The schema lacks ${missing.join(', ')}.`, mend }
}

async function examineCurrency(db: pg.Pool, { currency: { code } }: Config): Promise<Finding> {
  const recorded = await readCurrency(db)
  if (recorded === undefined) {
    const text = 'The database has no currency yet.'
    return { state: 'odd', text, mend: `The next start of the service records CURRENCY=${code}.` }
  }
  if (recorded === code) {
    return { state: 'well', text: `The amounts in this database are in ${code}, as configured.` }
  }
  return { state: 'ill', text: describeMismatch(recorded, code), mend: `Set CURRENCY=${recorded}.` }
}

async function examinePartitions(db: pg.Pool): Promise<Finding> {
  const failed = {
    state: 'ill',
    text: 'The books cannot be read.',
    mend: 'Run coffer migrate, and grant coffer_service to the login.',
  } as const
  const { rows } = await db
    .query<query.PartitionRow>(query.READ_PARTITIONS)
    .catch(() => ({ rows: [] }))
  const [row] = rows
  if (row === undefined) return failed
  if (row.has_strays || !row.is_prepared) {
    return {
      state: 'odd',
      text: 'The partitions of the coming months are not prepared.',
      mend: 'The service makes them every hour; look in its log for what stands in its way (docs/operations.md).',
    }
  }
  return { state: 'well', text: 'The partitions of the coming months are there.' }
}

async function examineOrigins(db: pg.Pool, { isHttps }: Config): Promise<Finding[]> {
  if (!isHttps) return []
  const { rows } = await db
    .query<{ client_id: string; origin: string }>(query.listUnsafeOrigins())
    .catch(() => ({ rows: [] }))
  if (rows.length === 0) {
    return [{ state: 'well', text: 'Every registered origin is reached by HTTPS.' }]
  }
  const list = rows.map(({ client_id, origin }) => `${client_id} ${origin}`).join(', ')
  const mend = 'Replace them by their https:// addresses at /admin/client-apps.'
  return [{ state: 'odd', text: `Origins without HTTPS are registered: ${list}.`, mend }]
}

function examineAddress({ publicOrigin, isHttps, trustProxy }: Config): Finding {
  if (publicOrigin === undefined || !isHttps) {
    return {
      state: 'odd',
      text: 'PUBLIC_URL is no https:// address.',
      mend: 'Set it to the address that people use, behind a proxy with TLS. Only a test deployment goes without.',
    }
  }
  if (trustProxy === true) {
    return {
      state: 'odd',
      text: 'TRUST_PROXY=true believes anybody’s X-Forwarded-For, so throttles per address can be evaded.',
      mend: 'Set it to the addresses or networks of your proxies.',
    }
  }
  return { state: 'well', text: `People reach the service at ${publicOrigin}.` }
}

async function examineMail({ mail }: Config): Promise<Finding> {
  if (mail === undefined) {
    const mend = 'Set SMTP_URL and MAIL_FROM.'
    return { state: 'odd', text: 'No mail server: nobody’s e-mail is verified.', mend }
  }
  if (await canDeliver(mail)) return { state: 'well', text: 'The mail server accepts us.' }
  const mend = 'Check SMTP_URL: host, port, user and password.'
  return { state: 'ill', text: 'The mail server does not accept us.', mend }
}

async function examineProcessor({ stripe: config }: Config): Promise<Finding> {
  const processor = createProcessor(config)
  if (config === undefined || processor === undefined) {
    const mend = 'Set the three STRIPE_ keys if people shall top up.'
    return { state: 'odd', text: 'No card processor: nobody can top up.', mend }
  }
  try {
    await processor.stripe.paymentIntents.list({ limit: 1 })
    const kind = config.isTest ? 'test keys: no real money moves' : 'live keys'
    return { state: 'well', text: `The card processor accepts us, with ${kind}.` }
  } catch (error) {
    const detail = JSON.stringify(explainFault(error) ?? 'no answer')
    const mend = 'Check STRIPE_SECRET_KEY and that the processor can be reached.'
    return { state: 'ill', text: `The card processor does not accept us: ${detail}.`, mend }
  }
}

function examineAdmin({ adminKeys }: Config): Finding {
  if (adminKeys) return { state: 'well', text: 'The operators’ area is configured.' }
  const mend = 'Set ADMIN_KEYS, then create an operator with coffer operator create.'
  return { state: 'odd', text: 'There is no operators’ area.', mend }
}
