import { execFileSync } from 'node:child_process'

/** undefined: the program is not installed. */
export function readVersion(program: string, flag = '--version'): string | undefined {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const
    const text = execFileSync(program, [flag], { encoding: 'utf8', stdio: [...stdio] })
    return /\d+\.\d+(\.\d+)?/.exec(text)?.[0]
  } catch {
    return undefined
  }
}
