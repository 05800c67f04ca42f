/**
 * The manifest of an archived month: a signed file with one line of JSON, and one line per wallet that has operations in
 * the month: its head after the month as in a checkpoint, and its head before it. So `coffer verify` accepts it as a
 * checkpoint.
 */
import { open } from 'node:fs/promises'
import { fromLine, toLine } from '../ledger/verify/checkpoint.ts'
import { readSignedLines, writeSignedLines } from '../ledger/verify/signed-lines.ts'
import type { Head, Kind } from '../ledger/types.ts'

const PAGE = 2_000

export interface ArchivedSum {
  account: number
  kind: Kind
  count: bigint
  amount: bigint
  debtChange: bigint
  heldChange: bigint
}

export interface Manifest {
  /** Such as 2025-01. */
  month: string
  operations: number
  wallets: number
  sums: ArchivedSum[]
  /** Of the lines of the operations, in hex. */
  sha256: string
}

/** The heads of a wallet before and after the month. */
export interface HeadChange {
  before: Head
  after: Head
}

export function toChangeLine({ before, after }: HeadChange): string {
  const rest = toLine(before).split(' ').slice(1)
  return [toLine(after), ...rest].join(' ')
}

function toHeadChange(line: string): HeadChange {
  const values = line.split(' ')
  const [id = ''] = values
  return { after: fromLine(line), before: fromLine([id, ...values.slice(5)].join(' ')) }
}

/** Returns the hash that is signed. `lines` are those of `toChangeLine`. */
export async function writeManifest(
  file: string,
  privateKeyPem: string,
  manifest: Manifest,
  lines: AsyncIterable<string>,
  beforeSigning: () => Promise<unknown>,
): Promise<Buffer> {
  async function* all() {
    yield JSON.stringify({ version: 1, ...manifest }, (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    yield* lines
  }
  return writeSignedLines(await open(file, 'w', 0o600), privateKeyPem, all(), beforeSigning)
}

/** The first line. Check the signature first. */
export async function readManifest(file: string): Promise<Manifest> {
  const handle = await open(file)
  try {
    for await (const line of handle.readLines()) return parse(file, line)
  } finally {
    await handle.close()
  }
  throw new Error(`${file} is empty.`)
}

/** A bigint is written as a string. */
interface Written extends Omit<Manifest, 'sums'> {
  version: number
  sums: (Pick<ArchivedSum, 'account' | 'kind'> &
    Record<'count' | 'amount' | 'debtChange' | 'heldChange', string>)[]
}

function parse(file: string, line: string): Manifest {
  const { version, sums, ...rest } = JSON.parse(line) as Written
  if (version !== 1)
    throw new Error(`${file} has version ${version}; this program reads version 1.`)
  return {
    ...rest,
    sums: sums.map((each) => ({
      ...each,
      count: BigInt(each.count),
      amount: BigInt(each.amount),
      debtChange: BigInt(each.debtChange),
      heldChange: BigInt(each.heldChange),
    })),
  }
}

/** Checks the signature first. */
export async function* readChanges(file: string, keyPem: string): AsyncGenerator<HeadChange> {
  let isFirst = true
  for await (const line of readSignedLines(file, keyPem)) {
    if (!isFirst) yield toHeadChange(line)
    isFirst = false
  }
}

/** One statement per page is much faster than one per wallet. Checks the signature first. */
export async function* readChangePages(file: string, keyPem: string): AsyncGenerator<HeadChange[]> {
  let page: HeadChange[] = []
  for await (const change of readChanges(file, keyPem)) {
    page.push(change)
    if (page.length < PAGE) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
