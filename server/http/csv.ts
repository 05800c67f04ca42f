/** CSV as RFC 4180 defines it, in a form that spreadsheets open correctly and safely. */
import type { FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'

/** Without it, spreadsheets do not recognise UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Makes the response a download of a CSV file. It returns the lines, not the reply: an async function that returns a
 * reply waits until the whole file has been sent.
 */
export function sendCsv(reply: FastifyReply, fileName: string, lines: Readable): Readable {
  reply.header('Content-Type', 'text/csv; charset=utf-8')
  reply.header('Content-Disposition', `attachment; filename="${fileName}"`)
  return lines
}

export function toLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`
}

/**
 * Finds a sign at the start of a cell. Some spreadsheets also split our cells at other separators, so the text after
 * these counts as a start, too; our quotes have no effect there. Full-width signs count too.
 */
const FORMULA = /(^|[;|\t\r\n])(?=(?:(?![;|\t\r\n])[\s"])*[=+\-@＝＋－＠])/g

/** Spreadsheets execute text that looks like a formula; an apostrophe makes it plain text. */
function toCell(text: string): string {
  const plain = text.replace(FORMULA, "$1'")
  const safe = /^[\t\r]/.test(plain) ? `'${plain}` : plain
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
