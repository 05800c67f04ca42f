import type { Logger } from 'pino'
import type pg from 'pg'
import type { Passwords } from './identity/hash-password.ts'
import type { FindIdsAt, FindLink, IsLinked } from './identity/link.ts'
import type { AppActivity } from './client-app/record-app-activity.ts'
import type { ClientAppCache } from './client-app/client-app-cache.ts'
import type { Config } from './config.ts'
import type { Throttles } from './http/create-throttles.ts'
import type { Exports } from './http/limit-exports.ts'
import type { Metrics } from './http/metrics.ts'
import type { Mailer } from './mail/create-mailer.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Processor } from './processor/stripe.ts'
import type { TransactionIds } from './wallet/transaction-id.ts'
import type { Sender } from './events/webhooks/send-request.ts'

/** What the modules work with: created once at the start and passed to each of them. */
export interface Context {
  config: Config
  /** For requests of client apps and people. The routes of the admin area get one of the next two instead. */
  db: pg.Pool
  /** For operators, whose searches may be slow: they must not take a connection that a debit needs. */
  operatorDb: pg.Pool
  /** For their logins and the switches: searches and exports of other operators must not delay a pause. */
  urgentDb: pg.Pool
  /** For the totals, the verifier and the maintenance. */
  backgroundDb: pg.Pool
  ledger: Ledger
  clientApps: ClientAppCache
  appActivity: AppActivity
  findLink: FindLink
  findIdsAt: FindIdsAt
  isLinked: IsLinked
  transactionIds: TransactionIds
  passwords: Passwords
  /** Another queue, so that logins of people cannot delay operators. */
  operatorPasswords: Passwords
  throttles: Throttles
  exports: Exports
  /** A separate limit, so that people who download slowly do not block exports of operators. */
  operatorExports: Exports
  appExports: Exports
  /** undefined: none is configured, and email addresses are not verified. */
  mailer: Mailer | undefined
  /** undefined: none is configured, and top-ups are not available. */
  processor: Processor | undefined
  /** Sends requests to webhooks. */
  sender: Sender
  log: Logger
  metrics: Metrics
}
