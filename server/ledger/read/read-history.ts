/**
 * Reads the newest operations of wallets without opening the partitions of all months. The numbers of a wallet's
 * operations have no gaps, so the result itself shows whether something is missing. Then all partitions are read:
 * months are only a guess at where the operations are, and the clock may have been set back.
 */
import { many, type Database } from '../../database/statement.ts'
import type { HistoryRequest, Months, ReadHistories } from './history-queries.ts'

/** Most reads end after the first two months; the others need few steps. */
const STEPS = [2, 4, 8, 16]

interface Numbered {
  seq: bigint
}

interface Reading<Item> {
  request: HistoryRequest
  /** How many operations there are, unless some were archived. */
  wanted: number
  found: Item[]
}

/** The operations of each request, newest first. `read`: which columns. */
export async function readNewest<Item extends Numbered>(
  db: Database,
  requests: readonly HistoryRequest[],
  read: ReadHistories<Item>,
): Promise<Item[][]> {
  const readings = requests.map((request) => startReading<Item>(request))
  const incomplete: Reading<Item>[] = []
  let rest = readings.filter(({ wanted }) => wanted > 0)
  for (const months of goBack(new Date())) {
    if (rest.length === 0) break
    const pages = await readPages(db, read, rest.map(toNextRequest), months)
    for (const [index, reading] of rest.entries()) reading.found.push(...(pages[index] ?? []))
    incomplete.push(...rest.filter(hasGap))
    rest = rest.filter((reading) => !hasGap(reading) && reading.found.length < reading.wanted)
  }
  incomplete.push(...rest)
  if (incomplete.length > 0) {
    const pages = await readPages(
      db,
      read,
      incomplete.map(({ request }) => request),
    )
    for (const [index, reading] of incomplete.entries()) reading.found = pages[index] ?? []
  }
  return readings.map(({ found }) => found)
}

function startReading<Item>(request: HistoryRequest): Reading<Item> {
  const { upToSeq, limit } = request
  const most = upToSeq < BigInt(limit) ? Number(upToSeq) : limit
  return { request, wanted: Math.max(0, most), found: [] }
}

function toNextRequest({ request, wanted, found }: Reading<Numbered>): HistoryRequest {
  const { walletId, upToSeq } = request
  return {
    walletId,
    upToSeq: upToSeq - BigInt(found.length),
    limit: wanted - found.length,
  }
}

function hasGap({ request, found }: Reading<Numbered>): boolean {
  return found.some(({ seq }, index) => seq !== request.upToSeq - BigInt(index))
}

async function readPages<Item extends Numbered>(
  db: Database,
  read: ReadHistories<Item>,
  requests: readonly HistoryRequest[],
  months?: Months,
): Promise<Item[][]> {
  const pages: Item[][] = requests.map(() => [])
  for (const { number, operation } of await many(db, read(requests, months))) {
    pages[number]?.push(operation)
  }
  for (const page of pages) page.sort((a, b) => Number(b.seq - a.seq))
  return pages
}

/** This month and the one before it, then the months before those, and so on. */
function* goBack(now: Date): Generator<Months> {
  const firstDay = (monthsAgo: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo))
      .toISOString()
      .slice(0, 10)
  let monthsAgo = -1
  for (const step of STEPS) {
    yield { from: firstDay(monthsAgo + step), before: firstDay(monthsAgo) }
    monthsAgo += step
  }
}
