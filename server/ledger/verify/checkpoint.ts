/**
 * A checkpoint is a signed list of the wallets' heads, stored outside the database. With it the verifier detects
 * changes that the ledger alone cannot show: that somebody removed the newest operations of a wallet, or rewrote all of
 * them.
 *
 * The file has one line of JSON with the version, the time and the caller's facts (the head of the audit log), one line
 * "id seq balance debt hash" per wallet (debt/held instead of debt if money is held) in id order, and one line with an
 * Ed25519 signature over the SHA-256 of everything above it.
 */
import { open, type FileHandle } from 'node:fs/promises'
import type pg from 'pg'
import { BARRIER } from '../../database/connect.ts'
import { many, run } from '../../database/statement.ts'
import { readSignedLines, writeSignedLines } from './signed-lines.ts'
import * as query from './verify-queries.ts'
import { FIRST_ID, LAST_ID } from './walk-chains.ts'
import type { Head, WalletState } from '../types.ts'

const PAGE = 5_000

export async function writeCheckpoint(
  client: pg.ClientBase,
  file: string,
  privateKeyPem: string,
  onProgress: (wallets: number) => void,
  readFacts: () => Promise<object> = () => Promise.resolve({}),
): Promise<{ wallets: number }> {
  let wallets = 0
  async function* readLines() {
    await run(client, query.BEGIN_SNAPSHOT)
    yield JSON.stringify({
      version: 1,
      takenAt: new Date().toISOString(),
      ...(await readFacts()),
    })
    for await (const page of walletPages(client, PAGE)) {
      wallets += page.length
      yield* page.map(toLine)
      onProgress(wallets)
    }
    await run(client, query.COMMIT)
  }
  // Sign only heads that a failover cannot undo.
  const waitForStandby = () => run(client, { text: BARRIER })
  await writeSignedLines(await createFile(file), privateKeyPem, readLines(), waitForStandby)
  return { wallets }
}

/** An existing checkpoint is evidence, so it is never overwritten. */
async function createFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const message = `${file} already exists. Write the checkpoint to a new file.`
    throw new Error(message, { cause: error })
  }
}

async function* walletPages(client: pg.ClientBase, size: number): AsyncGenerator<WalletState[]> {
  let from = FIRST_ID
  for (;;) {
    const wallets = await many(client, query.readWalletsFrom(from, LAST_ID, size))
    const last = wallets.at(-1)
    if (last === undefined) return
    yield wallets
    from = last.id + 1n
  }
}

/** Checks the signature first, then yields the heads in id order. The manifest of an archive is a checkpoint too. */
export async function* readCheckpoint(file: string, keyPem: string): AsyncGenerator<Head> {
  let isFirst = true
  for await (const line of readSignedLines(file, keyPem)) {
    if (!isFirst) yield fromLine(line)
    isFirst = false
  }
}

/** The first line, after checking the signature. */
export async function readCheckpointFacts(
  file: string,
  keyPem: string,
): Promise<Record<string, unknown>> {
  for await (const line of readSignedLines(file, keyPem)) {
    return JSON.parse(line) as Record<string, unknown>
  }
  throw new Error(`${file} is empty.`)
}

export function toLine({ id, seq, balance, debt, held, headHash }: Head): string {
  const owed = held === 0n ? String(debt) : `${debt}/${held}`
  return `${id} ${seq} ${balance} ${owed} ${headHash.toString('hex')}`
}

export function fromLine(line: string): Head {
  const [id = '', seq = '', balance = '', owed = '', hash = ''] = line.split(' ')
  const [debt = '', held = '0'] = owed.split('/')
  return {
    id: BigInt(id),
    seq: BigInt(seq),
    balance: BigInt(balance),
    debt: BigInt(debt),
    held: BigInt(held),
    headHash: Buffer.from(hash, 'hex'),
  }
}
