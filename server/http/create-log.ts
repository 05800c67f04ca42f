import pg from 'pg'
import pino from 'pino'
import { readTrace } from './trace-requests.ts'

/** The log of a process. Errors logged as `err` are filtered here, so that they contain no personal data. */
export function createLog(level: string, destination?: pino.DestinationStream): pino.Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { pid: process.pid },
    formatters: { level: (word) => ({ level: word }) },
    serializers: { err: showError },
    mixin: () => readTrace() ?? {},
  }
  return destination ? pino(options, destination) : pino(options)
}

/**
 * PostgreSQL quotes values in its messages and whole rows in the details, so only the names of its errors are logged.
 */
function showError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const stack = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const cause = error.cause === undefined ? undefined : showError(error.cause)
  if (error instanceof pg.DatabaseError) {
    const { code, severity, table, constraint, routine } = error
    return { type: 'DatabaseError', code, severity, table, constraint, routine, stack }
  }
  return { type: error.name, message: error.message, stack, cause }
}
