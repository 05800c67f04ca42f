/** Books with a checkpoint, for tests that change them behind the service's back and then run the verifiers. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { balanceBooks } from '../../books/balance-books.ts'
import { FIRST_POSITION, verifyPortion, type VerifierPosition } from '../../books/verify-portion.ts'
import { clientConfig } from '../../database/connect.ts'
import { readCheckpoint, writeCheckpoint } from '../../ledger/verify/checkpoint.ts'
import { digestPair, hashOperation } from '../../ledger/digest.ts'
import { readHistories } from '../../ledger/read/history-queries.ts'
import { readNewest } from '../../ledger/read/read-history.ts'
import { scopeOf, type LedgerRequest } from '../../ledger/types.ts'
import { verify, type VerifyOptions } from '../../ledger/verify/verify.ts'
import { blockTotals } from '../books-setup.ts'
import { makeClientApp, makeUser } from '../factories.ts'
import { startHarness, type Harness } from '../harness.ts'
import { postHolds, postLimited, postRefunds } from './post-changes.ts'

/**
 * A: a wallet with 8 operations before the checkpoint and 3 after it. B: a wallet with one operation, before it. C: a
 * wallet newer than the checkpoint. R: the same, with a debit and two refunds. H: the same, with holds. S: the same, with a
 * spending limit of account P. L: a ledger account with a credit limit and operations. I: one without operations.
 */
export interface Books {
  harness: Harness
  ids: Record<'A' | 'B' | 'C' | 'R' | 'H' | 'S' | 'P' | 'L' | 'I', bigint>
  /** Each returns the fault that it finds. */
  verifiers: Record<Verifier, () => Promise<string | undefined>>
  close(): Promise<void>
}

export const VERIFIERS = ['full', 'full with checkpoint', 'incremental', 'running'] as const
export type Verifier = (typeof VERIFIERS)[number]

/** In expected faults and in SQL, the names of `ids` stand for the ids of the setup; undefined means no fault. */
export interface Tampering {
  name: string
  /** The column that it changes, if it changes one. */
  column?: string
  change: string | ((books: Books) => Promise<unknown>)
  fault: string | undefined
  /** What other modes than `full` find instead, and why. */
  checked?: [fault: string | undefined, why: string]
  incremental?: [fault: string | undefined, why: string]
}

const TABLES = [
  'wallets',
  'operations',
  'operation_keys',
  'accounts',
  'refunds',
  'holds',
  'hold_changes',
  'spend_limits',
]
const BEFORE_CHECKPOINT = [
  ['bonus', 100n],
  ['bonus', 200n],
  ['credit', 700n],
  ['debit', 900n],
  ['seizure', 50_000n],
  ['topup', 80_000n],
  ['correction_out', 10n],
] as const
const AFTER_CHECKPOINT = [
  ['bonus', 40n],
  ['seizure', 60_000n],
  ['topup', 70n],
] as const

export async function openBooks(): Promise<Books> {
  const harness = await startHarness({ VERIFY_PERCENT: '0' })
  const { context } = harness
  await blockTotals(harness.admin)
  const limited = await makeClientApp(context, { creditLimit: 1_000_000n })
  const idle = await makeClientApp(context, { creditLimit: 1_000_000n })
  const first = await makeUser(context, 10_000n)
  async function post(posts: readonly (readonly [LedgerRequest['kind'], bigint])[]) {
    for (const [index, [kind, amountMinor]] of posts.entries()) {
      await context.ledger.post({
        kind,
        referenceType: 'TAMPER',
        referenceId: `${kind}-${index}-${amountMinor}`,
        walletId: first.walletId,
        amountMinor,
        counterAccount: kind === 'credit' || kind === 'debit' ? limited.ledgerAccount : 1,
        description: 'words',
      })
    }
  }
  await post(BEFORE_CHECKPOINT)
  const second = await makeUser(context, 500n)
  const checkpoint = await takeCheckpoint(harness)
  await post(AFTER_CHECKPOINT)
  const third = await makeUser(context, 500n)
  const refunded = await postRefunds(harness)
  const holding = await postHolds(harness)
  const limitedWallet = await postLimited(harness)
  for (const table of TABLES) {
    await harness.admin.query(`create table backup_${table} as select * from ledger.${table}`)
  }
  const verified = (options: () => VerifyOptions) => async () =>
    (await withClient(harness, (client) => verify(client, options()))).fault
  return {
    harness,
    ids: {
      A: first.walletId,
      B: second.walletId,
      C: third.walletId,
      R: refunded,
      H: holding,
      S: limitedWallet.walletId,
      P: limitedWallet.account,
      L: BigInt(limited.ledgerAccount),
      I: BigInt(idle.ledgerAccount),
    },
    verifiers: {
      full: verified(() => ({})),
      'full with checkpoint': verified(() => ({ checkpoint: checkpoint.read() })),
      incremental: verified(() => ({ checkpoint: checkpoint.read(), isIncremental: true })),
      running: () => verifyInPortions(harness),
    },
    async close() {
      checkpoint.remove()
      await harness.end()
    },
  }
}

async function takeCheckpoint(harness: Harness) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }) as string
  const folder = mkdtempSync(join(tmpdir(), 'coffer-tamper-'))
  const file = join(folder, 'checkpoint')
  await withClient(harness, (client) => writeCheckpoint(client, file, privatePem, () => undefined))
  return {
    read: () => readCheckpoint(file, publicPem),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

async function withClient<Result>(
  { databaseUrl }: Harness,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(clientConfig(databaseUrl))
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** What the continuous verifier does in one round. */
async function verifyInPortions({ context }: Harness): Promise<string | undefined> {
  let { fault } = (await balanceBooks(context)) ?? { fault: 'unknown' }
  for (
    let position: VerifierPosition | undefined = FIRST_POSITION;
    position !== undefined && fault === undefined;
  ) {
    const portion = await verifyPortion(context, position)
    fault = portion.fault
    position = portion.next
  }
  return fault
}

/** Makes a change that the service's role may not make, runs the verifiers, and restores the tables. */
export async function tamper(
  { harness: { admin } }: Books,
  change: () => Promise<unknown>,
  check: () => Promise<void>,
) {
  try {
    await change()
    await check()
  } finally {
    for (const table of TABLES) {
      await admin.query(`delete from ledger.${table}`)
      await admin.query(
        `insert into ledger.${table} overriding system value select * from backup_${table}`,
      )
    }
  }
}

/** Adds 1 to the amount of an operation and computes every balance and hash after it again, as a forger would. */
export async function rewriteHistory({ harness }: Books, walletId: bigint, fromSeq: bigint) {
  const { admin, context } = harness
  const request = { walletId, upToSeq: 1_000n, limit: 1_000 }
  const [operations = []] = await readNewest(context.db, [request], readHistories)
  let head = operations.find(({ seq }) => seq === fromSeq - 1n)?.hash ?? Buffer.alloc(32)
  for (const old of operations.toReversed().filter(({ seq }) => seq >= fromSeq)) {
    const amount = old.amount + (old.seq === fromSeq ? 1n : 0n)
    const operation = { ...old, amount, balanceAfter: old.balanceAfter + 1n }
    const digest = digestPair(scopeOf(old), old.referenceType, old.referenceId)
    head = hashOperation(head, operation, digest)
    await admin.query(
      'update ledger.operations set amount = $3, balance_after = $4, hash = $5 where wallet_id = $1 and seq = $2',
      [walletId, old.seq, amount, operation.balanceAfter, head],
    )
    await admin.query(
      `update ledger.operation_keys set amount = amount + $3, balance_after = $4
       where wallet_id = $1 and seq = $2 and refusal is null`,
      [walletId, old.seq, amount - old.amount, operation.balanceAfter],
    )
  }
  await admin.query(
    'update ledger.wallets set balance = balance + 1, head_hash = $2 where id = $1',
    [walletId, head],
  )
}
