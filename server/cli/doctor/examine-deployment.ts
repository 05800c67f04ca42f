/** The checks of `coffer doctor`. Each finding has a state and, if it is not ok, a fix. */
import pg from 'pg'
import type { Config } from '../../config.ts'
import { explainError } from '../explain-error.ts'
import { examineArchive, examineBackups, examineRehearsal } from './examine-backups.ts'
import * as database from './examine-database.ts'
import { examineHosts } from './examine-hosts.ts'
import { examineMail } from './examine-mail.ts'
import { examineProcessor } from './examine-processor.ts'
import { error, type Finding } from './finding.ts'

export interface Wishes {
  /** The file with what `pgbackrest info` printed after the last backup. */
  backups?: string
  /** Send an email to this address. */
  mailTo?: string
}

export interface NamedFinding extends Finding {
  check: string
}

type Check = () => Finding | Finding[] | Promise<Finding | Finding[]>

/** Errors of statements that need tables, columns or functions of a newer schema. */
const NEEDS_SCHEMA = ['3F000', '42501', '42703', '42883', '42P01']

export async function examineDeployment(
  config: Config,
  db: pg.Pool,
  wishes: Wishes = {},
): Promise<NamedFinding[]> {
  const elsewhere: Record<string, Check> = {
    address: () => examineAddress(config),
    hosts: () => examineHosts(config),
    mail: () => examineMail(config, wishes.mailTo),
    processor: () => examineProcessor(config),
    admin: () => examineAdmin(config),
    backups: () => examineBackups(wishes.backups),
    rehearsal: () => examineRehearsal(),
  }
  const server = await database.readServer(db)
  if ('state' in server) {
    return [{ check: 'database', ...server }, ...(await run(elsewhere))]
  }
  const schema = await run({ schema: () => database.examineMigrations(db) })
  const isCurrent = schema.every(({ state }) => state === 'ok')
  const inDatabase: Record<string, Check> = {
    currency: () => database.examineCurrency(db, config),
    demo: () => database.examineDemo(db, config),
    keys: () => database.examineKeys(db, config),
    copies: () => database.examineKeyCopies(db, config),
    standby: () => database.examineStandby(db, config),
    pause: () => database.examinePause(db),
    partitions: () => database.examinePartitions(db),
    origins: () => database.examineOrigins(db, config),
  }
  return [
    ...(await run({ database: () => database.examineServer(server) })),
    ...schema,
    ...(await run(inDatabase, !isCurrent)),
    ...(await run({ archive: () => examineArchive(db) })),
    ...(await run(elsewhere)),
  ]
}

/** A check that fails is a finding. One that fails because of the schema is not: the schema is one already. */
async function run(checks: Record<string, Check>, isOld = false): Promise<NamedFinding[]> {
  const found = Object.entries(checks).map(async ([check, examine]) => {
    try {
      const findings = [await examine()].flat()
      return findings.map((finding) => ({ check, ...finding }))
    } catch (cause) {
      const code = cause instanceof pg.DatabaseError ? (cause.code ?? '') : ''
      if (isOld && NEEDS_SCHEMA.includes(code)) return []
      const [text = '', fix = 'Report this as a bug, with this text.'] =
        explainError(cause).split('\n')
      return [{ check, ...error(`The check of ${check} failed: ${text}`, fix) }]
    }
  })
  return (await Promise.all(found)).flat()
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

function examineAdmin({ adminKeys }: Config): Finding {
  if (adminKeys) return { state: 'ok', text: 'The admin area is configured.' }
  const fix = 'Set ADMIN_KEYS, then create an operator with coffer operator create.'
  return { state: 'warning', text: 'The admin area is not configured.', fix }
}
