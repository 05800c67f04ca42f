/** Measures CPU time per program, from /proc. The clock ticks a hundred times a second; runs last for seconds. */
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const MICROSECONDS_PER_TICK = 10_000

interface Stat {
  parent: number
  own: number
  /** Of children that have ended. */
  ended: number
}

function readStat(pid: number | string): Stat | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    // The process ended after the listing; its time is counted for its parent.
    return undefined
  }
  // The name in brackets may contain spaces; the fields after it do not.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const at = (index: number) => Number(fields[index])
  return { parent: at(1), own: at(11) + at(12), ended: at(13) + at(14) }
}

export function parentOf(pid: number): number {
  const parent = readStat(pid)?.parent
  if (parent === undefined) throw new Error(`There is no process ${pid}.`)
  return parent
}

export interface CpuShares {
  /** Microseconds. */
  postgres: number
  node: number
  /** The program that ran during the measurement and has ended. */
  generator: number
  /** The share of the machine that other processes used, from 0 to 1: with much other load the figures mean little. */
  others: number
}

/** Starts the measurement; call the returned function after the generator has ended. */
export function startCpuClock(postmasterPid: number, servicePid?: number): () => CpuShares {
  const read = () => ({
    postgres: cpuOfFamily(postmasterPid),
    node: servicePid === undefined ? 0 : cpuOfFamily(servicePid),
    generator: (readStat(process.pid)?.ended ?? 0) * MICROSECONDS_PER_TICK,
    machine: cpuOfMachine(),
    at: performance.now() * 1000,
  })
  const before = read()
  return () => {
    const after = read()
    const postgres = after.postgres - before.postgres
    const node = after.node - before.node
    const generator = after.generator - before.generator
    const others = after.machine - before.machine - postgres - node - generator
    const capacity = (after.at - before.at) * availableParallelism()
    return { postgres, node, generator, others: Math.max(0, others / capacity) }
  }
}

/** A process and its children, running and ended. */
function cpuOfFamily(pid: number): number {
  const head = readStat(pid)
  let ticks = (head?.own ?? 0) + (head?.ended ?? 0)
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = readStat(name)
    if (stat?.parent === pid) ticks += stat.own + stat.ended
  }
  return ticks * MICROSECONDS_PER_TICK
}

/** CPU time of all programs, and CPU time that the host took from this machine. */
function cpuOfMachine(): number {
  const [, user, nice, system, , , , , steal] =
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.split(/ +/).map(Number) ?? []
  return ((user ?? 0) + (nice ?? 0) + (system ?? 0) + (steal ?? 0)) * MICROSECONDS_PER_TICK
}

const SPIN_TURNS = 20_000_000

/** Iterations of an empty loop per microsecond of CPU time: the current speed of a shared host. */
export function measureSpeed(): number {
  const before = process.cpuUsage()
  spin(SPIN_TURNS)
  const { user, system } = process.cpuUsage(before)
  return SPIN_TURNS / (user + system)
}

function spin(turns: number): number {
  let waste = 0
  for (let i = 0; i < turns; i++) waste = (waste * 31 + i) | 0
  return waste
}
// The first iterations are interpreted and would look like a slow machine.
spin(SPIN_TURNS)
