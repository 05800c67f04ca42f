/** A real `coffer serve` process, whose id and log lines the test knows. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Target {
  port: number
  residentBytes(): number
  stop(): Promise<void>
}

const coffer = fileURLToPath(new URL('../../server/coffer.ts', import.meta.url))

export async function startTarget(
  env: Record<string, string>,
  onLine: (line: string) => void,
): Promise<Target> {
  const child = spawn(process.execPath, [coffer, 'serve'], {
    env: { PATH: process.env['PATH'], ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'exit')
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      onLine(line)
      const listening = /"port":(\d+).*"msg":"listening"/.exec(line)
      if (listening) resolve(Number(listening[1]))
    })
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}.`)))
  })
  return {
    port,
    residentBytes: () => readResident(child.pid ?? 0),
    async stop() {
      child.kill('SIGINT')
      await ended
      process.removeListener('exit', kill)
    },
  }
}

function readResident(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) * 1024
}
