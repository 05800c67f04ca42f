/**
 * The operations of a month as a Parquet file, which data warehouses read directly. Rows are in the order of wallets and
 * seq, so that the rows of one wallet are in one or two groups.
 */
import type { Operation } from '../ledger/types.ts'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import type { AsyncBuffer, FileMetaData, SchemaElement } from 'hyparquet'
import { fileWriter, ParquetWriter, type ColumnSource } from 'hyparquet-writer'

const GROUP_ROWS = 50_000

type Row = Record<string, unknown>

interface Column {
  schema: Omit<SchemaElement, 'name'>
  options?: Pick<ColumnSource, 'encoding' | 'codec'>
  value: (operation: Operation) => unknown
}

const INTEGER = { type: 'INT64', repetition_type: 'REQUIRED' } as const
const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' } as const

/** The names are those of the columns of ledger.operations. */
const COLUMNS: Record<string, Column> = {
  wallet_id: { schema: INTEGER, value: ({ walletId }) => walletId },
  seq: { schema: INTEGER, value: ({ seq }) => seq },
  created_at: {
    schema: { ...INTEGER, converted_type: 'TIMESTAMP_MILLIS' },
    value: ({ createdAtMs }) => new Date(createdAtMs),
  },
  kind: { schema: TEXT, value: ({ kind }) => kind },
  amount: { schema: INTEGER, value: ({ amount }) => amount },
  balance_after: { schema: INTEGER, value: ({ balanceAfter }) => balanceAfter },
  debt_change: { schema: INTEGER, value: ({ debtChange }) => debtChange },
  debt_after: { schema: INTEGER, value: ({ debtAfter }) => debtAfter },
  held_change: { schema: INTEGER, value: ({ heldChange }) => heldChange },
  held_after: { schema: INTEGER, value: ({ heldAfter }) => heldAfter },
  counter_account: { schema: INTEGER, value: ({ counterAccount }) => BigInt(counterAccount) },
  target: {
    schema: { ...TEXT, repetition_type: 'OPTIONAL' },
    value: ({ target }) => target,
  },
  reference_type: { schema: TEXT, value: ({ referenceType }) => referenceType },
  reference_id: { schema: TEXT, value: ({ referenceId }) => referenceId },
  description: {
    schema: { ...TEXT, repetition_type: 'OPTIONAL' },
    value: ({ description }) => description,
  },
  hash: {
    schema: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 32, repetition_type: 'REQUIRED' },
    // Hashes cannot be compressed.
    options: { encoding: 'PLAIN', codec: 'UNCOMPRESSED' },
    value: ({ hash }) => hash,
  },
}

export class OperationsWriter {
  readonly #parquet: ParquetWriter
  #operations: Operation[] = []

  constructor(file: string) {
    const columns = Object.entries(COLUMNS)
    this.#parquet = new ParquetWriter({
      writer: fileWriter(file),
      schema: [
        { name: 'operations', num_children: columns.length },
        ...columns.map(([name, { schema }]) => ({ name, ...schema })),
      ],
    })
  }

  async add(operation: Operation) {
    this.#operations.push(operation)
    if (this.#operations.length === GROUP_ROWS) await this.#writeGroup()
  }

  async finish() {
    if (this.#operations.length > 0) await this.#writeGroup()
    await this.#parquet.finish()
  }

  async #writeGroup() {
    const columnData = Object.entries(COLUMNS).map(([name, { options, value }]) => ({
      name,
      ...options,
      data: this.#operations.map(value),
    }))
    const rowGroupSize = this.#operations.length
    this.#operations = []
    await this.#parquet.write({ columnData, rowGroupSize })
  }
}

interface Group {
  start: number
  rows: number
  firstWallet: bigint
  lastWallet: bigint
}

/** All operations, or those of one wallet, in the order of the file. */
export async function* readOperations(
  path: string,
  walletId?: bigint,
): AsyncGenerator<Operation[]> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  for (const { start, rows, firstWallet, lastWallet } of listGroups(metadata)) {
    if (walletId !== undefined && (walletId < firstWallet || walletId > lastWallet)) continue
    const operations = await readGroup(file, metadata, start, rows)
    yield walletId === undefined
      ? operations
      : operations.filter((each) => each.walletId === walletId)
  }
}

function listGroups({ row_groups: groups }: FileMetaData): Group[] {
  let start = 0
  return groups.map(({ num_rows: count, columns }) => {
    const { min_value: first, max_value: last } = columns[0]?.meta_data?.statistics ?? {}
    const rows = Number(count)
    const group = { start, rows, firstWallet: first as bigint, lastWallet: last as bigint }
    start += rows
    return group
  })
}

async function readGroup(file: AsyncBuffer, metadata: FileMetaData, start: number, rows: number) {
  const found = await parquetReadObjects({ file, metadata, rowStart: start, rowEnd: start + rows })
  return found.map(toOperation)
}

function toOperation(row: Row): Operation {
  return {
    walletId: row['wallet_id'] as bigint,
    seq: row['seq'] as bigint,
    kind: row['kind'] as Operation['kind'],
    amount: row['amount'] as bigint,
    balanceAfter: row['balance_after'] as bigint,
    debtChange: row['debt_change'] as bigint,
    debtAfter: row['debt_after'] as bigint,
    heldChange: row['held_change'] as bigint,
    heldAfter: row['held_after'] as bigint,
    counterAccount: Number(row['counter_account']),
    target: (row['target'] as string | null | undefined) ?? null,
    referenceType: row['reference_type'] as string,
    referenceId: row['reference_id'] as string,
    description: (row['description'] as string | null | undefined) ?? null,
    hash: Buffer.from(row['hash'] as Uint8Array),
    createdAtMs: (row['created_at'] as Date).getTime(),
  }
}
