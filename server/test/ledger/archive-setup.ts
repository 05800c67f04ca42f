/** A ledger with operations in past months, and what archiving needs. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import {
  postInThePast,
  preparePastPartitions,
  type PastRequest,
} from '../../../scripts/post-in-the-past.ts'
import { archiveMonths, type ArchiveTools } from '../../archive/archive-months.ts'
import type { RestoreTools } from '../../archive/check-files.ts'
import { clientConfig, ownerConfig } from '../../database/connect.ts'
import { verify, type VerifyOptions } from '../../ledger/verify/verify.ts'
import { giveBonus, makeClientApp } from '../factories.ts'
import { startHarness, type Harness } from '../harness.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
export const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
export const publicPem = publicKey.export({ type: 'spki', format: 'pem' }) as string

/** Such as 2026-08 for 3. */
export function monthAgo(months: number): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months))
    .toISOString()
    .slice(0, 7)
}

export interface ArchiveSetup {
  harness: Harness
  folder: string
  locker: pg.Client
  worker: pg.Client
  tools: ArchiveTools
  restoreTools: RestoreTools
  /** Posts bonuses and debits in a past month. */
  post(months: number, requests: readonly Omit<PastRequest, 'atMs'>[]): Promise<void>
  archive(before: string): Promise<void>
  findFault(options?: VerifyOptions): Promise<string | undefined>
  end(): Promise<void>
}

export async function openArchiveSetup(harness: Harness): Promise<ArchiveSetup> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-archive-'))
  const [locker, worker] = [await connectOwner(harness), await connectOwner(harness)]
  const tools: ArchiveTools = { locker, worker, folder, privateKeyPem: privatePem }
  await preparePastPartitions(harness.databaseUrl, Date.parse(`${monthAgo(4)}-01T00:00:00Z`))
  // The operations of the past are in the sums.
  await harness.admin.query(
    `update books.progress set totals_up_to = now() - interval '10 seconds'`,
  )
  return {
    harness,
    folder,
    locker,
    worker,
    tools,
    restoreTools: { client: worker, folder, publicKeyPem: publicPem },
    async post(months, requests) {
      const startMs = Date.parse(`${monthAgo(months)}-02T10:00:00Z`)
      const timed = requests.map((each, index) => ({ ...each, atMs: startMs + index * 1000 }))
      await postInThePast(harness.context.db, timed, async () => undefined)
    },
    archive: (before) => archiveMonths(tools, before),
    async findFault(options = {}) {
      const client = new pg.Client(clientConfig(harness.databaseUrl))
      await client.connect()
      const { fault } = await verify(client, options)
      await client.end()
      return fault
    },
    async end() {
      await locker.end()
      await worker.end()
      rmSync(folder, { recursive: true })
    },
  }
}

export async function connectOwner(harness: Harness): Promise<pg.Client> {
  const client = new pg.Client(ownerConfig(harness.databaseUrl))
  client.on('error', () => undefined)
  await client.connect()
  return client
}

export function bonusOf(walletId: bigint, amountMinor = 100n): Omit<PastRequest, 'atMs'> {
  return {
    kind: 'bonus',
    walletId,
    amountMinor,
    counterAccount: 2,
    referenceType: 'ARCHIVE',
    referenceId: randomUUID(),
    description: amountMinor % 2n === 0n ? 'Zwei Kaffee, “groß”\n☕\u2028\\n' : null,
  }
}

export const [OLDEST, OLD, RECENT] = [monthAgo(4), monthAgo(3), monthAgo(2)]

export interface FilledArchive extends ArchiveSetup {
  wallets: bigint[]
  /** Everything that describes the ledger, whether months are archived or not. */
  readBooks(): Promise<unknown>
  /** The archived months and how many operations each has. */
  listMonths(): Promise<[string, number][]>
  /** The heads in the database: wallet, month and seq. */
  readHeads(): Promise<[bigint, string, number][]>
}

/** Operations of two wallets in three past months and in this one. */
export async function openFilledArchive(): Promise<FilledArchive> {
  const harness = await startHarness({ VERIFY_PERCENT: '0' })
  const { admin } = harness
  const setup = await openArchiveSetup(harness)
  const { ledger } = harness.context
  const wallets = [await ledger.openWallet(), await ledger.openWallet(), await ledger.openWallet()]
  const [first = 0n, second = 0n] = wallets
  const app = await makeClientApp(harness.context, { creditLimit: 1_000_000n })
  const debit = { kind: 'debit', counterAccount: app.ledgerAccount } as const
  await setup.post(4, [bonusOf(first), bonusOf(first, 51n), { ...bonusOf(first, 7n), ...debit }])
  await setup.post(3, [bonusOf(second), bonusOf(first, 3n), bonusOf(second)])
  await setup.post(2, [bonusOf(first), bonusOf(second)])
  await giveBonus(ledger, first, 5n)
  return {
    ...setup,
    wallets,
    async readBooks() {
      const { rows } = await admin.query(READ_BOOKS)
      return rows[0]
    },
    async listMonths() {
      const { rows } = await admin.query(
        `select to_char(month, 'YYYY-MM') as month, operations from ledger.archived_months order by 1`,
      )
      return rows.map((row) => [row.month, Number(row.operations)])
    },
    async readHeads() {
      const { rows } = await admin.query(
        `select wallet_id, to_char(month, 'YYYY-MM') as month, seq from ledger.archived_heads order by 1, 2`,
      )
      return rows.map((row) => [BigInt(row.wallet_id), row.month, Number(row.seq)])
    },
    async end() {
      await setup.end()
      await harness.end()
    },
  }
}

const READ_BOOKS = `select
  (select json_agg(w order by id) from ledger.wallets w) as wallets,
  (select json_agg(o order by wallet_id, seq) from (
    select wallet_id, seq, kind, amount, balance_after, created_at, counter_account, coalesce(debt_change, 0),
      coalesce(debt_after, 0), reference_type, reference_id, description, hash from ledger.operations) o) as operations,
  (select json_agg(k order by digest) from ledger.operation_keys k) as keys`
