import type { Logger } from 'pino'
import type pg from 'pg'
import type { FindLink } from './account/link.ts'
import type { RememberedClientApps } from './client-app/remember-client-apps.ts'
import type { Config } from './config.ts'
import type { Metrics } from './http/metrics.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { TransactionIds } from './wallet/transaction-id.ts'

/** What the rooms work with; made once at the start, handed to everybody, no container. */
export interface Context {
  config: Config
  db: pg.Pool
  ledger: Ledger
  clientApps: RememberedClientApps
  findLink: FindLink
  transactionIds: TransactionIds
  log: Logger
  metrics: Metrics
}
