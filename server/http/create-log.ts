import pg from 'pg'
import pino from 'pino'
import { readTrace } from './trace-requests.ts'

/** The log of a process. Errors logged as `err` are filtered here, so that they contain no personal data. */
export function createLog(level: string, destination?: pino.DestinationStream): pino.Logger {
  const options: pino.LoggerOptions = {
    level,
    serializers: { err: showError },
    mixin: () => readTrace() ?? {},
  }
  return destination ? pino(options, destination) : pino(options)
}

/** PostgreSQL quotes values in its messages and whole rows in the details, so only the names of its errors are logged. */
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

/** Lines that are not yet passed to the destination, by log. */
const lines = new WeakMap<pino.Logger, string>()

/**
 * Writes a line of plain values without using the logger, which took a twentieth of the total cost of a request. The
 * lines of one turn of the event loop are written together, because the destination measures its whole buffer at every
 * write. Strings must be our own or checked; they are not escaped.
 */
export function writeLine(
  log: pino.Logger,
  level: 'debug' | 'info',
  fields: Record<string, string | number | null>,
) {
  if (!log.isLevelEnabled(level)) return
  let line = `{"level":${log.levels.values[level]},"time":${Date.now()},"pid":${process.pid}`
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'number') line += `,"${name}":${Math.round(value * 100) / 100}`
    else if (value) line += `,"${name}":"${value}"`
  }
  const earlier = lines.get(log)
  if (earlier === undefined) setImmediate(() => flushLines(log))
  lines.set(log, `${earlier ?? ''}${line}}\n`)
}

function flushLines(log: pino.Logger) {
  const streams = log as unknown as Record<symbol, pino.DestinationStream | undefined>
  streams[pino.symbols.streamSym]?.write(lines.get(log) ?? '')
  lines.delete(log)
}
