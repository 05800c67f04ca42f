/**
 * Transaction ids: wallet and seq, 16 bytes, enciphered as one AES block. They are unique, say nothing to
 * outsiders, need no column and no index, and we can turn one back into the operation that it names.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type pg from 'pg'
import { READ_TRANSACTION_ID_KEY } from './queries.ts'

export interface TransactionIds {
  seal(walletId: bigint, seq: bigint): string
  /** undefined for anything that is not an id of ours. */
  open(id: string): { walletId: bigint; seq: bigint } | undefined
}

export async function loadTransactionIds(db: pg.Pool): Promise<TransactionIds> {
  const { rows } = await db.query<{ key: string }>(READ_TRANSACTION_ID_KEY)
  return createTransactionIds(Buffer.from((rows[0]?.key ?? '').replaceAll('-', ''), 'hex'))
}

export function createTransactionIds(key: Buffer): TransactionIds {
  return {
    seal(walletId, seq) {
      const block = Buffer.alloc(16)
      block.writeBigInt64BE(walletId, 0)
      block.writeBigInt64BE(seq, 8)
      // Exactly one block goes in, so no mode of chaining applies.
      const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
      return `txn_${cipher.update(block, undefined, 'hex')}`
    },
    open(id) {
      const hex = /^txn_([0-9a-f]{32})$/.exec(id)?.[1]
      if (hex === undefined) return undefined
      const decipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)
      const block = decipher.update(hex, 'hex')
      return { walletId: block.readBigInt64BE(0), seq: block.readBigInt64BE(8) }
    },
  }
}
