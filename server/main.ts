/** `coffer serve`: one or more processes (PROCESSES), started and stopped together. */
import closeWithGrace from 'close-with-grace'
import type { Command } from 'commander'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import prometheus from 'prom-client'
import { refuseMissingKeys } from './admin/switches/refuse-missing-keys.ts'
import { refuseOtherKeys } from './admin/switches/require-keys.ts'
import { type Config, readConfig } from './config.ts'
import { refuseTransactionPooling } from './database/refuse-transaction-pooling.ts'
import { createLog } from './http/create-log.ts'
import { type Order, receiveOrders, receiveSignals } from './receive-orders.ts'
import { refuseLiveDemo, refuseOldSchema, refusePublicMetrics } from './refuse-start.ts'
import { refuseOtherCurrency } from './require-currency.ts'
import { startService } from './start-service.ts'

const GRACE_MS = 20_000
/** How many connections may wait to be accepted. The system drops further ones silently, and clients retry after seconds. */
const BACKLOG = 4_096
const LAST_LOG_MS = 1_000

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service')
    .option('--check', 'check the settings and the database as a start does, and exit')
    .action(serve)
}

async function serve({ check = false }: { check?: boolean } = {}): Promise<void> {
  const config = readConfig()
  if (cluster.isPrimary) {
    await refuseTransactionPooling(config.databaseUrl)
    // Before an upgrade the schema is still the old one.
    if (!check) await refuseOldSchema(config)
    await refuseOtherCurrency(config)
    refusePublicMetrics(config)
    await refuseLiveDemo(config)
    await refuseOtherKeys(config)
    await refuseMissingKeys(config)
  }
  if (check) process.exit()
  if (cluster.isPrimary && config.processes > 1) runPrimary(config)
  else await runWorker(config)
}

async function runWorker(config: Config) {
  // A process that is still starting serves nobody.
  let obey: (order: Order) => void = () => process.exit(0)
  receiveOrders((order) => obey(order))
  const destination = pino.destination({ sync: false, minLength: 16_000 })
  let isLogOpen = true
  destination.on('error', () => {
    isLogOpen = false
  })
  const log = createLog(config.logLevel, destination)
  const flusher = setInterval(() => destination.flush(), 1000)
  const collectMetrics = cluster.isWorker ? requestMetrics : undefined
  const service = await startService(config, { log, ...(collectMetrics && { collectMetrics }) })
  if (cluster.isWorker) exposeMetrics(service.context.metrics.registry)
  let isStopping = false
  const { close } = closeWithGrace(
    { delay: GRACE_MS, skip: ['SIGINT', 'SIGTERM'] },
    async ({ err }) => {
      isStopping = true
      if (err) log.fatal({ err }, 'stopping because of an unhandled error')
      else log.info('stopping: requests in progress are completed')
      await service.stop()
      clearInterval(flusher)
      log.info('stopped')
      // The reader of the log may be gone or blocked; pino would retry forever and block the process.
      const written = once(destination, 'drain').catch(() => undefined)
      if (isLogOpen) destination.flush()
      await Promise.race([written, sleep(LAST_LOG_MS)])
      destination.destroy()
    },
  )
  const stop = () => {
    if (!isStopping) close()
  }
  obey = (order) => {
    if (order === 'stop') return stop()
    log.info('draining: load balancers have a few seconds to stop sending requests')
    void service.drain().then(stop)
  }
  try {
    const { host, port, metricsPort } = config
    await service.app.listen({ host, port, backlog: BACKLOG })
    if (metricsPort !== undefined) await service.metricsServer?.listen({ host, port: metricsPort })
  } catch (error) {
    await service.stop()
    clearInterval(flusher)
    cluster.worker?.disconnect()
    throw error
  }
  log.info({ addresses: service.app.addresses() }, 'listening')
  destination.flush()
}

/** Starts the processes, replaces one that dies, and tells them to stop. */
function runPrimary(config: Config) {
  const log = createLog(config.logLevel)
  let isStopping = false
  let hasListened = false
  const aggregator = new prometheus.AggregatorRegistry()
  // Requests take a few milliseconds; with a large young generation their memory is freed without copying.
  cluster.setupPrimary({ execArgv: [...process.execArgv, '--max-semi-space-size=64'] })
  for (let index = 0; index < config.processes; index++) cluster.fork()
  cluster.on('listening', () => {
    hasListened = true
  })
  cluster.on('exit', (worker, exitCode, signal) => {
    const isLast = Object.keys(cluster.workers ?? {}).length === 0
    // A process that dies before any has served would die again: the configuration is wrong.
    if (hasListened && !isStopping) {
      const ended = { workerPid: worker.process.pid, exitCode, signal }
      log.warn(ended, 'a service process ended unexpectedly; another one starts')
      setTimeout(() => isStopping || cluster.fork(), 500)
    } else if (isLast) process.exit(worker.process.exitCode ?? 1)
  })
  cluster.on('message', (worker, message) => {
    if (message !== 'metrics?') return
    const respond = (text: string) => worker.send({ metrics: text })
    aggregator.clusterMetrics().then(respond, () => respond(''))
  })
  receiveSignals((order) => {
    isStopping = true
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker?.isConnected()) worker.send(order)
    }
  })
}

/** Creating an aggregator makes a process respond when the primary collects metrics. */
function exposeMetrics(registry: prometheus.Registry) {
  new prometheus.AggregatorRegistry()
  prometheus.AggregatorRegistry.setRegistries(registry)
}

function requestMetrics(): Promise<string> {
  return new Promise((resolve) => {
    function onMessage(message: unknown) {
      if (typeof message !== 'object' || message === null || !('metrics' in message)) return
      process.off('message', onMessage)
      resolve(String(message.metrics))
    }
    process.on('message', onMessage)
    process.send?.('metrics?')
  })
}
