/** `coffer restart`: the instances coffer@PORT of this machine, one at a time, so that the others serve meanwhile. */
import type { Command } from 'commander'
import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { print } from './with-service.ts'

const READY_MS = 60_000
/** The proxy sends requests to an instance again some seconds after it failed; without traffic nobody knows. */
const TRAFFIC_MS = 15_000
const PAUSE_MS = 250
/** systemd starts a process that ends again and again. */
const STARTS_MAX = 3

export function addRestartCommand(program: Command): void {
  program
    .command('restart')
    .description('restart the instances coffer@PORT of systemd, one at a time')
    .action(restart)
}

async function restart() {
  if (process.getuid?.() !== 0) {
    throw new Error('Only root may restart the service. Run the command with sudo.')
  }
  const ports = listPorts()
  if (ports.length === 0) {
    throw new Error(
      'No instance of the service runs. Start them: systemctl enable --now coffer@8081 coffer@8082',
    )
  }
  // An instance that does not serve comes first: meanwhile the others do.
  const ready = await Promise.all(ports.map(isReady))
  const order = [...ports.filter((_, at) => !ready[at]), ...ports.filter((_, at) => ready[at])]
  for (const [index, port] of order.entries()) {
    await restartInstance(port, index === order.length - 1).catch((error: unknown) => {
      const rest = order.slice(index + 1).map((other) => `coffer@${other}`)
      const untouched = rest.length > 0 ? ` Not restarted: ${rest.join(', ')}.` : ''
      throw new Error(`${String(error instanceof Error ? error.message : error)}${untouched}
Its last messages:
${readJournal(port)}
Fix the problem, then run coffer restart again.`)
    })
  }
}

async function restartInstance(port: string, isLast: boolean) {
  const unit = `coffer@${port}`
  execFileSync('systemctl', ['restart', unit], { stdio: 'inherit' })
  const startedMs = performance.now()
  while (!(await isReady(port))) {
    const starts = Number(systemctl('show', '--property=NRestarts', '--value', unit))
    if (starts >= STARTS_MAX || performance.now() - startedMs > READY_MS) {
      throw new Error(`${unit} does not become ready.`)
    }
    await sleep(PAUSE_MS)
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  print(`${unit} is ready after ${seconds} s.`)
  if (!isLast) await waitForTraffic(port)
}

/** Until then, the proxy may still consider this instance failed, and it must not lose the next one too. */
async function waitForTraffic(port: string) {
  const deadlineMs = performance.now() + TRAFFIC_MS
  const before = await countRequests(port)
  while (performance.now() < deadlineMs) {
    if ((await countRequests(port)) > before) return
    await sleep(PAUSE_MS)
  }
}

/** Without health checks, which do not come through the proxy. */
async function countRequests(port: string): Promise<number> {
  const metrics = await fetchText(`http://127.0.0.1:1${port}/metrics`)
  const lines = metrics?.matchAll(
    /^coffer_request_seconds_count\{(?!.*route="\/(?:livez|readyz|metrics)").*\} (\d+)$/gm,
  )
  return [...(lines ?? [])].reduce((sum, [, count]) => sum + Number(count), 0)
}

async function isReady(port: string): Promise<boolean> {
  return (await fetchText(`http://127.0.0.1:${port}/readyz`)) !== undefined
}

async function fetchText(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) })
    return response.ok ? await response.text() : undefined
  } catch {
    return undefined
  }
}

function listPorts(): string[] {
  // Not inactive: somebody stopped that one on purpose.
  const states = '--state=active,activating,reloading,deactivating,failed'
  const units = systemctl('list-units', states, '--plain', '--no-legend', 'coffer@*.service')
  return [...units.matchAll(/^coffer@(\d+)\.service/gm)].map(([, port = '']) => port)
}

function readJournal(port: string): string {
  // What the process wrote, without the lines of systemd about it.
  const args = [`_SYSTEMD_UNIT=coffer@${port}.service`, '--lines=10', '--no-pager', '--output=cat']
  return execFileSync('journalctl', args, { encoding: 'utf8' })
}

function systemctl(...args: string[]): string {
  return execFileSync('systemctl', args, { encoding: 'utf8' })
}
