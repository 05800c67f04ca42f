import type pg from 'pg'
import type { Statement } from '../database/statement.ts'

export interface ReaderPosition {
  readTo: Date
  /** Every operation before this time is committed, so the reader may go so far. */
  totalsUpTo: Date
}

const POSITION =
  'select r.read_to, p.totals_up_to from books.reader_position r cross join books.progress p'

function readRow(row: { read_to: Date; totals_up_to: Date }): ReaderPosition {
  return { readTo: row.read_to, totalsUpTo: row.totals_up_to }
}

export const READ_POSITION: Statement<ReaderPosition> = {
  name: 'read-reader-position',
  text: POSITION,
  read: readRow,
}

/** Returns no row if another process is reading. */
export const LOCK_POSITION: Statement<ReaderPosition> = {
  text: `${POSITION} for update of r skip locked`,
  read: readRow,
}

export function setPosition(readTo: Date): pg.QueryConfig {
  return { text: 'update books.reader_position set read_to = $1', values: [readTo] }
}
