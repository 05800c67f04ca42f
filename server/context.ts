import type { Logger } from 'pino'
import type pg from 'pg'
import type { Throttles } from './identity/create-throttles.ts'
import type { Passwords } from './identity/hash-password.ts'
import type { FindLink } from './identity/link.ts'
import type { ClientAppNotes } from './client-app/record-app-activity.ts'
import type { RememberedClientApps } from './client-app/remember-client-apps.ts'
import type { Config } from './config.ts'
import type { Metrics } from './http/metrics.ts'
import type { Mailer } from './mail/create-mailer.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Processor } from './processor/stripe.ts'
import type { TransactionIds } from './wallet/transaction-id.ts'

/** What the rooms work with; made once at the start, handed to everybody, no container. */
export interface Context {
  config: Config
  db: pg.Pool
  ledger: Ledger
  clientApps: RememberedClientApps
  notes: ClientAppNotes
  findLink: FindLink
  transactionIds: TransactionIds
  passwords: Passwords
  throttles: Throttles
  /** undefined: none is configured, and nobody's e-mail is verified. */
  mailer: Mailer | undefined
  /** undefined: none is configured, and nobody can top up. */
  processor: Processor | undefined
  log: Logger
  metrics: Metrics
}
