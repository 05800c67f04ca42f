/**
 * A checkpoint is a signed list of the wallets' heads, stored outside the database. With it the verifier detects
 * changes that the ledger alone cannot show: that somebody removed the newest operations of a wallet, or rewrote all of
 * them.
 *
 * The file has one line of JSON with the version and the time, one line "id seq balance debt hash" per wallet in id
 * order, and one line with an Ed25519 signature over the SHA-256 of everything above it.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { BARRIER } from '../database/connect.ts'
import { many, run } from '../database/statement.ts'
import * as query from './verify-queries.ts'
import type { WalletState } from './types.ts'

export type Head = Pick<WalletState, 'id' | 'seq' | 'balance' | 'debt' | 'headHash'>

const PAGE = 5_000
const SIGNATURE = 'signature '

export async function writeCheckpoint(
  client: pg.ClientBase,
  file: string,
  privateKeyPem: string,
  onProgress: (wallets: number) => void,
): Promise<{ wallets: number }> {
  const key = createPrivateKey(privateKeyPem)
  const out = (await createFile(file)).createWriteStream()
  const digest = createHash('sha256')
  async function write(text: string) {
    digest.update(text)
    if (!out.write(text)) await once(out, 'drain')
  }
  let wallets = 0
  await run(client, query.BEGIN_SNAPSHOT)
  await write(`${JSON.stringify({ version: 1, takenAt: new Date().toISOString() })}\n`)
  for await (const page of walletPages(client, PAGE)) {
    wallets += page.length
    await write(page.map((each) => `${toLine(each)}\n`).join(''))
    onProgress(wallets)
  }
  await run(client, query.COMMIT)
  // Sign only heads that a failover cannot undo.
  await run(client, { text: BARRIER })
  const signature = sign(null, digest.digest(), key).toString('base64')
  out.end(`${SIGNATURE}${signature}\n`)
  await once(out, 'finish')
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

export async function* walletPages(
  client: pg.ClientBase,
  size: number,
): AsyncGenerator<WalletState[]> {
  let after = 0n
  for (;;) {
    const wallets = await many(client, query.readWalletPage(after, size))
    const last = wallets.at(-1)
    if (last === undefined) return
    yield wallets
    after = last.id
  }
}

/** Checks the signature first, then yields the heads in id order. */
export async function* readCheckpoint(file: string, keyPem: string): AsyncGenerator<Head> {
  await checkSignature(file, keyPem)
  let isFirst = true
  for await (const line of lines(file)) {
    if (!isFirst && !line.startsWith(SIGNATURE)) yield fromLine(line)
    isFirst = false
  }
}

async function checkSignature(file: string, keyPem: string): Promise<void> {
  const digest = createHash('sha256')
  let signature: string | undefined
  for await (const line of lines(file)) {
    if (line.startsWith(SIGNATURE)) signature = line.slice(SIGNATURE.length)
    else digest.update(`${line}\n`)
  }
  const isSound =
    signature !== undefined &&
    verify(null, digest.digest(), createPublicKey(keyPem), Buffer.from(signature, 'base64'))
  if (!isSound)
    throw new Error(`The signature of ${file} is invalid: the file was changed or truncated.`)
}

function lines(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file), crlfDelay: Infinity })
}

function toLine({ id, seq, balance, debt, headHash }: Head): string {
  return `${id} ${seq} ${balance} ${debt} ${headHash.toString('hex')}`
}

function fromLine(line: string): Head {
  const [id = '', seq = '', balance = '', debt = '', hash = ''] = line.split(' ')
  return {
    id: BigInt(id),
    seq: BigInt(seq),
    balance: BigInt(balance),
    debt: BigInt(debt),
    headHash: Buffer.from(hash, 'hex'),
  }
}
