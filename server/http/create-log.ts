import pg from 'pg'
import pino from 'pino'

/** The log of a process. Whatever is logged as `err` passes through here, and nobody's data with it. */
export function createLog(level: string, destination?: pino.DestinationStream): pino.Logger {
  const options: pino.LoggerOptions = { level, serializers: { err: showError } }
  return destination ? pino(options, destination) : pino(options)
}

/** PostgreSQL quotes values in its messages and whole rows in their details, so of its errors only the names are told. */
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
