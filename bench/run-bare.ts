/** The bare engine: pgbench with the fixed statements. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { measureSpeed, startCpuClock } from './measure-cpu.ts'
import { readBaseline, type Setup } from './prepare.ts'

export interface BareRun {
  clients: number
  rate: number
  /** The share of the machine that other processes used. */
  others: number
  /** The speed of the machine itself, just before. */
  speed: number
}

export async function runBare(
  setup: Setup,
  file: string,
  clients: number,
  seconds: number,
): Promise<BareRun> {
  const script = join(setup.folder, file)
  writeFileSync(script, readBaseline(file, setup.target.wallets))
  const { url, binFolder } = setup.postgres
  const args = ['-n', '-M', 'prepared', '-c', `${clients}`, '-j', '1', '-T', `${seconds}`]
  const pgbench = join(binFolder, 'pgbench')
  const speed = measureSpeed()
  const stopClock = startCpuClock(setup.postmasterPid)
  const { stdout } = await promisify(execFile)(pgbench, [...args, '-f', script, url])
  // The connections of pgbench end after it; until then their CPU time belongs to no process.
  await sleep(200)
  const { others } = stopClock()
  // On a machine that is busy elsewhere the clients may not even have connected in time; then there is no rate.
  const isNone = /actually processed: 0$/m.test(stdout)
  const rate = isNone ? '0' : /^tps = ([\d.]+)/m.exec(stdout)?.[1]
  const failed = /^number of failed transactions: (\d+)/m.exec(stdout)?.[1] ?? '0'
  if (rate === undefined || failed !== '0') throw new Error(`pgbench failed:\n${stdout}`)
  return { clients, rate: Number(rate), others, speed }
}
