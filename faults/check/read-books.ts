/** Reads the ledger for the checker, in one snapshot and one pass, wallet by wallet. */
import type pg from 'pg'
import {
  OPERATION,
  type OperationRow,
  toOperation,
  toWallet,
  WALLET,
} from '../../server/ledger/queries.ts'
import type { Operation, Refusal, WalletState } from '../../server/ledger/types.ts'
import type { AccountBook, RefusedKey, WalletBook } from './known-facts.ts'

interface RefusalRow {
  wallet_id: bigint
  digest: string
  seq: bigint
  refusal: Refusal
  kind: string
  amount: bigint | null
}

export async function readBooks(
  client: pg.ClientBase,
  /** Wallets with ids up to this one are not read. */
  after: bigint,
  onWallet: (book: WalletBook) => void,
): Promise<AccountBook[]> {
  await client.query('begin isolation level repeatable read read only')
  const wallets = await readWallets(client, after)
  const refusals = await readRefusals(client)
  function close(walletId: bigint, operations: Operation[]) {
    const state = wallets.get(walletId)
    wallets.delete(walletId)
    const { balance = 0n, debt = 0n, held = 0n, seq = 0n } = state ?? {}
    const { headHash = Buffer.alloc(32) } = state ?? {}
    const refused = refusals.get(walletId) ?? []
    onWallet({ walletId, balance, debt, held, seq, headHash, operations, refusals: refused })
  }
  let current: Operation[] = []
  for await (const operation of readOperations(client, after)) {
    const [first] = current
    if (first !== undefined && first.walletId !== operation.walletId) {
      close(first.walletId, current)
      current = []
    }
    current.push(operation)
  }
  const [last] = current
  if (last !== undefined) close(last.walletId, current)
  for (const walletId of wallets.keys()) close(walletId, [])
  const { rows } = await client.query<{ id: bigint; balance: bigint }>(
    'select id, balance from ledger.accounts where credit_limit is not null',
  )
  await client.query('rollback')
  return rows.map(({ id, balance }) => ({ account: Number(id), balance }))
}

async function readWallets(
  client: pg.ClientBase,
  after: bigint,
): Promise<Map<bigint, WalletState>> {
  const { rows } = await client.query(`select ${WALLET} from ledger.wallets where id > $1`, [after])
  return new Map(rows.map((row) => [row.id, toWallet(row)]))
}

async function readRefusals(client: pg.ClientBase): Promise<Map<bigint, RefusedKey[]>> {
  const refusals = new Map<bigint, RefusedKey[]>()
  const { rows } = await client.query<RefusalRow>(
    `select wallet_id, digest, seq, refusal, kind, amount from ledger.operation_keys
     where refusal is not null order by wallet_id, seq`,
  )
  for (const { wallet_id: walletId, digest, seq, refusal, kind, amount } of rows) {
    const of = refusals.get(walletId) ?? []
    refusals.set(walletId, of)
    const name = digest.replaceAll('-', '')
    // A release has no amount.
    of.push({ digest: name, seq, code: refusal, kind, amountMinor: amount ?? 0n })
  }
  return refusals
}

async function* readOperations(client: pg.ClientBase, after: bigint): AsyncGenerator<Operation> {
  await client.query(`declare operations no scroll cursor for
    select ${OPERATION} from ledger.operations where wallet_id > ${after} order by wallet_id, seq`)
  for (;;) {
    const { rows } = await client.query<OperationRow>('fetch 5000 from operations')
    if (rows.length === 0) return
    for (const row of rows) yield toOperation(row)
  }
}
