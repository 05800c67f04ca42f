/** Counts the errors that the services did not expect, by their message. A response shows only that there was one. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

export async function countErrors(logFiles: readonly string[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const logFile of logFiles) {
    for await (const line of createInterface({ input: createReadStream(logFile) })) {
      if (!line.includes('unhandled error')) continue
      const cause = describeError(line)
      counts.set(cause, (counts.get(cause) ?? 0) + 1)
    }
  }
  return counts
}

interface LogLine {
  route?: string
  err?: { code?: string; message?: string }
}

/** The last line of a process that is killed can be incomplete. */
function describeError(line: string): string {
  try {
    const { route = '', err } = JSON.parse(line) as LogLine
    return [route, err?.code ?? '', err?.message ?? ''].join(' ')
  } catch {
    return line
  }
}
