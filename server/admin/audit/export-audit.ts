import type { exportAudit as endpoint } from '@coffer/contract/admin/audit'
import { Readable } from 'node:stream'
import type pg from 'pg'
import type { z } from 'zod'
import { BYTE_ORDER_MARK, toLine } from '../../http/csv.ts'
import { readAudit, type ShownEntry } from './read-audit.ts'

const PAGE = 1_000
const HEADER = ['Time (UTC)', 'Actor', 'Address', 'Action', 'Subject', 'Before', 'After', 'Id']

/** Streams a page at a time, as fast as the client reads. Errors are returned before the first byte. */
export async function exportAudit(
  db: pg.Pool,
  filter: z.output<typeof endpoint.input>,
): Promise<Readable> {
  const readPage = (cursor?: string) => readAudit(db, { ...filter, cursor }, PAGE)
  const first = await readPage()

  async function* writePages() {
    yield BYTE_ORDER_MARK + toLine(HEADER)
    for (let page = first; ; page = await readPage(page.nextCursor)) {
      if (page.entries.length > 0) yield page.entries.map(toRow).join('')
      if (page.nextCursor === null) return
    }
  }
  return Readable.from(writePages())
}

export function nameAuditFile(now: Date): string {
  return `audit-${now.toISOString().slice(0, 10)}.csv`
}

function toRow(entry: ShownEntry): string {
  const { at, actor, address, action, subject, before, after, id } = entry
  return toLine([at, actor, address ?? '', action, subject ?? '', before ?? '', after ?? '', id])
}
