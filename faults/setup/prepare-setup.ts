/** The setup of an audit: a database behind a proxy, service processes behind a balancer, a card processor, people. */
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import type pg from 'pg'
import { startSandbox, type RunningSandbox } from '../../sandbox/start-sandbox.ts'
import { migrate } from '../../server/database/migrate.ts'
import { stripeEnv } from '../../sandbox/stripe-env.ts'
import { startDatabaseProxy, type DatabaseProxy } from '../../server/test/database-proxy.ts'
import { loadTransactionIds, type TransactionIds } from '../../server/wallet/transaction-id.ts'
import { createCaller, type Caller } from '../clients/send-request.ts'
import { Journal } from '../clients/journal.ts'
import { findFreePorts } from '../../scripts/find-free-ports.ts'
import { withCleanUp, type CleanUp } from './clean-up.ts'
import { SupervisedService } from './supervise-service.ts'
import { createAccounts, type App, type Opening } from './create-accounts.ts'
import { CREATE_FAILING_TRIGGER } from './failing-operations.ts'
import {
  ADDRESSES,
  canMoveHostNames,
  createHostName,
  HOST_NAME,
  type HostName,
} from './host-name.ts'
import { startBalancer, type Balancer } from './start-balancer.ts'
import { startCluster, type Cluster } from './start-cluster.ts'
import { startDatabase, type Database } from './start-database.ts'
import { startPair, type Pair } from './start-pair.ts'
import { Payments } from '../clients/payments.ts'
import { withAdmin } from './with-admin.ts'
import type { Freeze, KnownFacts } from '../check/known-facts.ts'

export interface Setup {
  database: Database
  /** The same database as `database`, if it is of this kind. */
  cluster: Cluster | undefined
  pair: Pair | undefined
  proxy: DatabaseProxy
  /** The name of the proxy, as the services know it. */
  hostName: HostName
  services: readonly SupervisedService[]
  balancer: Balancer
  sandbox: RunningSandbox
  apps: readonly App[]
  wallets: readonly bigint[]
  openings: readonly Opening[]
  /** Wallets with ids up to this one are full of operations that no client sent. */
  filledUpTo?: bigint
  caller: Caller
  journal: Journal
  topups: Payments
  transactionIds: TransactionIds
  /** Observations during the run, for the checker. */
  heads: KnownFacts['heads'][number][]
  freezes: Freeze[]
  /** How commands reach the database, past the proxy. */
  env: Record<string, string>
  /** None of them may appear in a log, a metric, an error or a column. */
  secrets: string[]
  folder: string
}

export interface Version {
  root?: string
  migrate(url: string): Promise<unknown>
  createAccounts(
    env: Record<string, string>,
  ): Promise<Pick<Setup, 'apps' | 'wallets' | 'openings' | 'filledUpTo'>>
}

export interface SetupOptions {
  /** Number of service processes. */
  processes: number
  hasFailpoints?: boolean
  /** A cluster has standbys, without which nothing may be acknowledged. */
  database?: 'alone' | 'pair' | 'cluster'
  /** Another version of the service; default: the version of this checkout. */
  version?: Version
  /** A file to which the journal is also written, for inspection. */
  journalFile: string | undefined
}

const THIS_VERSION: Version = { migrate: (url) => migrate(url, () => undefined), createAccounts }

/** Limits that no audit should reach, except the app that floods. */
const LIMITS = {
  APP_REQUESTS_PER_SECOND: '1000',
  TOPUPS_PER_HOUR: '1000000',
  TOPUP_MAX_PER_DAY: '999999999',
  STRIPE_CALLS_PER_SECOND: '1000000',
  SESSIONS_PER_SECOND: '1000000',
  WIDGET_REQUESTS_PER_SECOND: '1000000',
  LOG_LEVEL: 'info',
  ALLOW_LOOPBACK_WEBHOOKS: 'true',
}

export function withSetup<Result>(
  options: SetupOptions,
  play: (setup: Setup) => Promise<Result>,
): Promise<Result> {
  return withCleanUp('coffer-faults-', async (folder, cleanUp) =>
    play(await prepare(options, folder, cleanUp)),
  )
}

async function prepare(options: SetupOptions, folder: string, cleanUp: CleanUp): Promise<Setup> {
  const { processes, hasFailpoints, database: kind = 'alone', journalFile } = options
  const { version = THIS_VERSION } = options
  const onMove = (url: string) => proxy.aim(url)
  const cluster = kind === 'cluster' ? await startCluster() : undefined
  const pair = kind === 'pair' ? await startPair(onMove) : undefined
  const database = cluster ?? pair ?? (await startDatabase(onMove))
  cleanUp.push(() => database.stop())
  await version.migrate(database.url)
  const pepper = randomBytes(32).toString('base64')
  const env = { DATABASE_URL: database.url, SECRET_PEPPERS: `faults:${pepper}` }
  const opened = await version.createAccounts(env)
  await withAdmin(database.url, (admin) => admin.query(CREATE_FAILING_TRIGGER))
  const transactionIds = await withAdmin(database.url, (admin) =>
    loadTransactionIds(admin as unknown as pg.Pool),
  )
  const proxy = await startDatabaseProxy(database.url, ADDRESSES)
  cleanUp.push(() => proxy.stop())
  const hostName = createHostName(folder)
  const keys = { secretKey: secretOf('sk_test_'), webhookSecret: secretOf('whsec_') }
  const sandbox = await startSandbox({ ...keys, webhookRetryDelaysMs: [500, 1_000, 2_000, 4_000] })
  cleanUp.push(() => sandbox.close())
  const [port = 0, ...ports] = await findFreePorts(1 + processes)
  const services = ports.map(
    (each, index) =>
      new SupervisedService({
        port: each,
        logFile: join(folder, `service-${index + 1}.log`),
        env: {
          ...env,
          ...LIMITS,
          ...stripeEnv(sandbox),
          ...hostName.env,
          DATABASE_URL: canMoveHostNames ? withHost(proxy.url, HOST_NAME) : proxy.url,
          REQUIRE_SYNC_STANDBY: String(cluster !== undefined),
        },
        hasFailpoints,
        ...(version.root !== undefined && { root: version.root }),
      }),
  )
  cleanUp.push(() => Promise.all(services.map((each) => each.stop())))
  await Promise.all(services.map((each) => each.ready(60_000)))
  const balancer = await startBalancer({ port, ports, folder })
  cleanUp.push(() => balancer.stop())
  sandbox.addWebhookEndpoint(`${balancer.url}/api/processor/webhook`)
  const journal = openJournal(journalFile, cleanUp)
  const caller = createCaller(balancer.url)
  cleanUp.push(() => caller.close())
  const secrets = [pepper, ...Object.values(keys), ...opened.apps.flatMap(secretsOf)]
  return {
    database,
    cluster,
    pair,
    proxy,
    hostName,
    services,
    balancer,
    sandbox,
    ...opened,
    caller,
    journal,
    topups: new Payments(),
    transactionIds,
    heads: [],
    freezes: [],
    env,
    secrets,
    folder,
  }
}

function withHost(url: string, hostname: string): string {
  return Object.assign(new URL(url), { hostname }).href
}

function openJournal(journalFile: string | undefined, cleanUp: CleanUp): Journal {
  const journal = new Journal()
  if (journalFile !== undefined) {
    const file = createWriteStream(journalFile)
    journal.record = (line) => void file.write(`${line}\n`)
    cleanUp.push(() => once(file.end(), 'finish'))
  }
  return journal
}

function secretOf(prefix: string): string {
  return prefix + randomBytes(16).toString('hex')
}

function secretsOf({ clientSecret, authorization }: App): string[] {
  return [clientSecret, authorization.slice('Basic '.length)]
}
