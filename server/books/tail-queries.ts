import type pg from 'pg'
import type { Statement } from '../database/statement.ts'

export interface Tail {
  readTo: Date
  /** Every operation before this time is committed, so the reader may go so far. */
  totalsUpTo: Date
}

const TAIL = 'select t.read_to, p.totals_up_to from books.tail t cross join books.progress p'

function readRow(row: { read_to: Date; totals_up_to: Date }): Tail {
  return { readTo: row.read_to, totalsUpTo: row.totals_up_to }
}

export const READ_TAIL: Statement<Tail> = { name: 'read-tail', text: TAIL, read: readRow }

/** Returns no row if another process is reading. */
export const LOCK_TAIL: Statement<Tail> = {
  text: `${TAIL} for update of t skip locked`,
  read: readRow,
}

export function setTail(readTo: Date): pg.QueryConfig {
  return { text: 'update books.tail set read_to = $1', values: [readTo] }
}
