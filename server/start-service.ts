/** Starts the parts of one process of the service, and stops them without losing anything. */
import type pino from 'pino'
import { createPasswords } from './identity/hash-password.ts'
import { createIdFinder, createLinkChecker, createLinkFinder } from './identity/link.ts'
import { NOTE_ALERTS } from './account/alerts/note-alerts.ts'
import { startAlertSender } from './account/alerts/send-alerts.ts'
import { startAuditJobs } from './admin/audit/audit-jobs.ts'
import { startDebitWatch } from './admin/client-apps/watch-debits.ts'
import { createApp } from './app.ts'
import { keepBooks } from './books/keep-books.ts'
import { startOperationReader } from './books/read-new-operations.ts'
import { createAppActivity } from './client-app/record-app-activity.ts'
import { createClientAppCache } from './client-app/client-app-cache.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { createDrain } from './http/create-drain.ts'
import { createPool } from './database/connect.ts'
import { runPeriodically } from './database/run-periodically.ts'
import { startEventNumbering } from './events/feed/number-events.ts'
import { NOTE_CHANGED_BALANCES, startBalanceReporter } from './events/feed/report-balances.ts'
import { startTrafficWriter } from './http/count-traffic.ts'
import { createThrottles } from './http/create-throttles.ts'
import { APP_EXPORTS_MAX, Exports } from './http/limit-exports.ts'
import { createMetrics, createMetricsServer } from './http/metrics.ts'
import { Ledger } from './ledger/ledger.ts'
import { createMailer } from './mail/create-mailer.ts'
import { createProcessor } from './processor/stripe.ts'
import packageFile from './package.json' with { type: 'json' }
import { requireCurrency } from './require-currency.ts'
import { runMaintenance } from './run-maintenance.ts'
import { startSweeper } from './topup/sweep.ts'
import { startHoldExpiry } from './wallet/expire-holds.ts'
import { loadTransactionIds } from './wallet/transaction-id.ts'
import { watchChecks } from './watch-checks.ts'
import { watchPause } from './watch-pause.ts'
import { resolveName } from './events/webhooks/check-target.ts'
import { startDeliverer } from './events/webhooks/deliver.ts'
import { createSender } from './events/webhooks/send-request.ts'

export interface RunningService {
  app: Awaited<ReturnType<typeof createApp>>
  /** undefined: the app serves /metrics. */
  metricsServer: ReturnType<typeof createMetricsServer> | undefined
  context: Context
  /** Serves for a few seconds more, so that load balancers stop sending requests before the process stops. */
  drain(): Promise<void>
  /** Stops accepting requests, finishes those in progress, then closes the database connections. */
  stop(): Promise<void>
}

const { version } = packageFile
const MAINTENANCE_MS = 60 * 60 * 1000

interface ServiceOptions {
  log: pino.Logger
  collectMetrics?: () => Promise<string>
  /** Instead of the mail server of the configuration. */
  mailer?: Context['mailer']
  /** Default: true. A test that runs the jobs itself sets it to false. */
  runsJobs?: boolean
}

export async function startService(
  config: Config,
  options: ServiceOptions,
): Promise<RunningService> {
  const { log } = options
  const databases = await openDatabases(config)
  const { db } = databases
  const ledger = new Ledger({
    databaseUrl: config.databaseUrl,
    lanes: config.ledgerLanes,
    requiresStandby: config.requiresStandby,
    onBatch: (batch) => metrics.observeBatch(batch),
    onError(message, error) {
      metrics.countBatchRetry()
      log.warn({ err: error }, message)
    },
  })
  const pools = { ...namePools(databases), ...ledger.pools }
  const metrics = createMetrics({ version, pools, queueSize: () => ledger.queueSize })
  const appActivity = createAppActivity(db, log)
  const clientApps = createClientAppCache(db, appActivity)
  const mailer = options.mailer ?? (await createMailer(config.mail, log, metrics.countMail))
  const context: Context = {
    config,
    ...databases,
    ledger,
    clientApps,
    appActivity,
    findLink: createLinkFinder(db),
    findIdsAt: createIdFinder(db),
    isLinked: createLinkChecker(db),
    transactionIds: await loadTransactionIds(db),
    passwords: await createPasswords(config.passwordHashesPerSecond),
    operatorPasswords: await createPasswords(config.passwordHashesPerSecond),
    throttles: createThrottles(config, db),
    exports: new Exports(),
    operatorExports: new Exports(),
    appExports: new Exports(APP_EXPORTS_MAX),
    mailer,
    processor: await createProcessor(config.stripe, metrics.observeProcessorCall),
    sender: createSender({ allowsLoopback: config.allowsLoopbackWebhooks, resolve: resolveName }),
    log,
    metrics,
  }
  const drain = createDrain()
  const { collectMetrics = () => metrics.registry.metrics() } = options
  const app = await createApp(context, { drain, collectMetrics })
  const metricsServer =
    config.metricsPort === undefined ? undefined : createMetricsServer(metrics, collectMetrics)
  const traffic = startTrafficWriter(db, metrics.traffic, log)
  const jobs = options.runsJobs === false ? undefined : startJobs(context)
  await runMaintenance(context)
  return {
    app,
    metricsServer,
    context,
    drain: () => drain.run(),
    async stop() {
      drain.begin()
      await Promise.all([app.close(), metricsServer?.close(), jobs?.stop()])
      clientApps.close()
      await appActivity.close()
      await traffic.close()
      await mailer?.close()
      await ledger.close()
      await Promise.all(Object.values(databases).map((pool) => pool.end()))
    },
  }
}

/** Pools of their own, so that a slow search of an operator or a background job takes no connection from the others. */
async function openDatabases(config: Config) {
  const open = (size: number) => createPool(config.databaseUrl, { size, barrier: false })
  return {
    db: await openDatabase(config),
    operatorDb: open(3),
    urgentDb: open(2),
    backgroundDb: open(3),
  }
}

/** As in the metrics. */
function namePools({
  db: directory,
  operatorDb: operators,
  urgentDb: urgent,
  backgroundDb: background,
}: Awaited<ReturnType<typeof openDatabases>>) {
  return { directory, operators, urgent, background }
}

function startJobs(context: Context) {
  const { processor, mailer } = context
  const sweeper = processor && startSweeper({ ...context, processor })
  const jobs = [
    keepBooks(context),
    startAuditJobs(context),
    startDebitWatch(context),
    startEventNumbering(context),
    startOperationReader(context, [NOTE_CHANGED_BALANCES, ...(mailer ? [NOTE_ALERTS] : [])]),
    mailer && startAlertSender({ ...context, mailer }),
    startBalanceReporter(context),
    startDeliverer(context),
    startHoldExpiry(context),
    watchChecks(context),
    watchPause(context),
    runPeriodically(context, {
      everyMs: MAINTENANCE_MS,
      name: 'maintenance',
      work: () => runMaintenance(context),
    }),
    sweeper,
  ]
  return {
    async stop() {
      await Promise.all(jobs.map(async (job) => job?.stop()))
    },
  }
}

async function openDatabase({ databaseUrl, currency }: Config) {
  const db = createPool(databaseUrl, { size: 6, barrier: false })
  try {
    await requireCurrency(db, currency)
    return db
  } catch (error) {
    await db.end()
    throw error
  }
}
