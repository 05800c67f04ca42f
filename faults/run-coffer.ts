/** Runs a command as an operator types it, from this checkout or another. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const HERE = fileURLToPath(new URL('..', import.meta.url))

export interface Run {
  status: number
  text: string
  seconds: number
}

export function runCoffer(
  args: readonly string[],
  env: Record<string, string>,
  root = HERE,
): Promise<Run> {
  const startedMs = performance.now()
  const all = { PATH: process.env['PATH'], ...env }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'server/coffer.ts'), ...args],
      { env: all },
      (error, stdout, stderr) =>
        resolve({
          status: Number(error?.code ?? 0),
          text: stdout + stderr,
          seconds: (performance.now() - startedMs) / 1000,
        }),
    )
  })
}

/** Throws an error with the output if the command fails. */
export async function mustRun(...given: Parameters<typeof runCoffer>): Promise<Run> {
  const run = await runCoffer(...given)
  if (run.status !== 0) throw new Error(`coffer ${given[0].join(' ')}: ${run.text}`)
  return run
}
