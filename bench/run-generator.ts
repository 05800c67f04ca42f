/** The load: wrk with requests.lua. */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Setup } from './prepare.ts'
import type { Scenario } from './scenarios.ts'

/** The generator should not limit the result; one thread is enough for four cores of service. */
const WRK_THREADS = Math.ceil(availableParallelism() / 4)
const SCRIPT = fileURLToPath(new URL('requests.lua', import.meta.url))

export interface Load {
  connections: number
  seconds: number
  /** Operations per second, sent at fixed times however long the responses take. undefined: as fast as possible. */
  offered?: number
}

export interface GeneratorResult {
  /** Operations with status 200 and a balance. */
  ok: number
  bad: number
  /** Failed connections and missing responses. */
  broken: number
  seconds: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  /** How long after its time the latest request was sent, if a rate is offered. */
  lateMs: number
  firstBad: string
}

export async function runGenerator(
  { target, credentials }: Setup,
  url: string,
  scenario: Scenario,
  { connections, seconds, offered = 0 }: Load,
): Promise<GeneratorResult> {
  const { clientId, clientSecret } = credentials
  const tag = randomBytes(6).toString('hex')
  const args = wrkArguments(url, connections, seconds)
  const requests = offered / (scenario.operations ?? 1) / WRK_THREADS
  const what = [scenario.name, `${target.wallets}`, clientId, clientSecret, tag, `${requests}`]
  const { stdout } = await promisify(execFile)('wrk', [...args, ...what])
  const result = /^RESULT (.*)$/m.exec(stdout)?.[1]
  if (result === undefined) throw new Error(`Unexpected output of the generator:\n${stdout}`)
  return JSON.parse(result) as GeneratorResult
}

function wrkArguments(url: string, connections: number, seconds: number): string[] {
  const load = ['--threads', `${WRK_THREADS}`, '--connections', `${connections}`]
  const time = ['--duration', `${seconds}s`, '--timeout', '10s']
  return [...load, ...time, '--script', SCRIPT, url, '--']
}

export async function requireWrk(): Promise<void> {
  try {
    await promisify(execFile)('wrk', ['--version'])
  } catch (error) {
    // It prints its version and exits with 1.
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing) {
      throw new Error('wrk, the load generator, is missing: apt-get install wrk', { cause: error })
    }
  }
}
