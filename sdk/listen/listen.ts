#!/usr/bin/env node
/** `npx @coffer/sdk listen`: webhooks on the machine of a developer, without a public address. */
import { CofferError } from '../errors.ts'
import { forwardEvents } from './forward-events.ts'
import { HELP, readArguments, UsageError } from './read-arguments.ts'

const print = (line: string) => void process.stdout.write(`${line}\n`)
const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())

try {
  const given = await readArguments(process.argv.slice(2))
  if (given) await forwardEvents(given, { print, signal: stop.signal })
  else process.stdout.write(HELP)
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}

/** An expected error is shown without its stack trace. */
function explain(error: unknown): string {
  if (error instanceof CofferError) return `${error.code}: ${error.message}`
  if (error instanceof UsageError) return error.message
  return error instanceof Error ? String(error.stack) : String(error)
}
