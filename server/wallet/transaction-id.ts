/**
 * Transaction ids: wallet and seq, 16 bytes, enciphered as one AES block under a key of the client app that sees
 * them. They are unique, say nothing to outsiders, differ from app to app so that two apps cannot recognise a
 * person by them, need no column and no index, and we can turn one back into the operation that it names.
 */
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  type KeyObject,
} from 'node:crypto'
import type pg from 'pg'
import { READ_TRANSACTION_ID_KEY } from './queries.ts'

export interface TransactionIds {
  seal(viewerAccount: number, walletId: bigint, seq: bigint): string
  /** undefined for anything that is not shaped like an id; nonsense for an id of another viewer. */
  open(viewerAccount: number, id: string): { walletId: bigint; seq: bigint } | undefined
}

export async function loadTransactionIds(db: pg.Pool): Promise<TransactionIds> {
  const { rows } = await db.query<{ key: string }>(READ_TRANSACTION_ID_KEY)
  return createTransactionIds(rows[0]?.key ?? '')
}

function createTransactionIds(deploymentKey: string): TransactionIds {
  const keys = new Map<number, KeyObject>()
  function keyOf(account: number): KeyObject {
    const known = keys.get(account)
    if (known) return known
    const digest = hash('sha256', `${deploymentKey} ${account}`, 'buffer')
    const key = createSecretKey(digest.subarray(0, 16))
    keys.set(account, key)
    return key
  }
  return {
    seal(viewerAccount, walletId, seq) {
      const block = Buffer.alloc(16)
      block.writeBigInt64BE(walletId, 0)
      block.writeBigInt64BE(seq, 8)
      // Exactly one block goes in, so no mode of chaining applies.
      const cipher = createCipheriv('aes-128-ecb', keyOf(viewerAccount), null)
      return `txn_${cipher.setAutoPadding(false).update(block, undefined, 'hex')}`
    },
    open(viewerAccount, id) {
      const hex = /^txn_([0-9a-f]{32})$/.exec(id)?.[1]
      if (hex === undefined) return undefined
      const decipher = createDecipheriv('aes-128-ecb', keyOf(viewerAccount), null)
      const block = decipher.setAutoPadding(false).update(hex, 'hex')
      return { walletId: block.readBigInt64BE(0), seq: block.readBigInt64BE(8) }
    },
  }
}
