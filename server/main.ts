/** `coffer serve`: one process per core if so configured, started and stopped together. */
import closeWithGrace from 'close-with-grace'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import prometheus from 'prom-client'
import { refuseMissingKeys } from './admin/switches/refuse-missing-keys.ts'
import { readConfig, type Config } from './config.ts'
import { createLog } from './http/create-log.ts'
import { refuseOldSchema } from './refuse-old-schema.ts'
import { refuseOtherCurrency } from './require-currency.ts'
import { startService } from './start-service.ts'

const GRACE_MS = 20_000
/** Connections that wait to be taken. Beyond it the system drops them without a word, and callers try again seconds later. */
const BACKLOG = 4_096
const LAST_WORDS_MS = 1_000

export async function serve(): Promise<void> {
  const config = readConfig()
  if (cluster.isPrimary) {
    await refuseOldSchema(config)
    await refuseOtherCurrency(config)
    await refuseMissingKeys(config)
  }
  if (cluster.isPrimary && config.processes > 1) lead(config)
  else await work(config)
}

async function work(config: Config) {
  const destination = pino.destination({ sync: false, minLength: 16_000 })
  let isHeard = true
  destination.on('error', () => {
    isHeard = false
  })
  const log = createLog(config.logLevel, destination)
  const flusher = setInterval(() => destination.flush(), 1000)
  const collectMetrics = cluster.isWorker ? askLeaderForMetrics : undefined
  const service = await startService(config, { log, ...(collectMetrics && { collectMetrics }) })
  if (cluster.isWorker) answerLeader(service.context.metrics.registry)
  closeWithGrace({ delay: GRACE_MS }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'the process ends because of a fault that nobody caught')
    else log.info({ signal }, 'stopping')
    await service.stop()
    clearInterval(flusher)
    log.info('stopped')
    // Whoever reads the log may be gone or stuck, and pino would try for ever and let nothing else happen meanwhile.
    const written = once(destination, 'drain').catch(() => undefined)
    if (isHeard) destination.flush()
    await Promise.race([written, sleep(LAST_WORDS_MS)])
    destination.destroy()
  })
  try {
    await service.app.listen({ host: config.host, port: config.port, backlog: BACKLOG })
  } catch (error) {
    await service.stop()
    clearInterval(flusher)
    cluster.worker?.disconnect()
    throw error
  }
  log.info({ addresses: service.app.addresses() }, 'listening')
  destination.flush()
}

/** Starts the processes, replaces one that dies, and hands every signal down. */
function lead(config: Config) {
  let isStopping = false
  let hasListened = false
  const aggregator = new prometheus.AggregatorRegistry()
  // Requests live for a few milliseconds; with room for them the collector finds them dead and copies nothing.
  cluster.setupPrimary({ execArgv: [...process.execArgv, '--max-semi-space-size=64'] })
  for (let index = 0; index < config.processes; index++) cluster.fork()
  cluster.on('listening', () => {
    hasListened = true
  })
  cluster.on('exit', (worker) => {
    const isLast = Object.keys(cluster.workers ?? {}).length === 0
    // One that dies before any has served would only die again: the fault is in the configuration.
    if (hasListened && !isStopping) setTimeout(() => isStopping || cluster.fork(), 500)
    else if (isLast) process.exit(worker.process.exitCode ?? 1)
  })
  cluster.on('message', (worker, message) => {
    if (message !== 'metrics?') return
    const answer = (text: string) => worker.send({ metrics: text })
    aggregator.clusterMetrics().then(answer, () => answer(''))
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      isStopping = true
      for (const worker of Object.values(cluster.workers ?? {})) worker?.kill(signal)
    })
  }
}

/** Making an aggregator is what lets a process answer when the leader collects. */
function answerLeader(registry: prometheus.Registry) {
  new prometheus.AggregatorRegistry()
  prometheus.AggregatorRegistry.setRegistries(registry)
}

function askLeaderForMetrics(): Promise<string> {
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
