/**
 * Transaction ids: wallet and seq, 16 bytes, encrypted as one AES block with a key per client app. They are unique,
 * reveal nothing, differ per app so that two apps cannot recognise a person by them, need no column and no index, and
 * can be decrypted to find the operation.
 */
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  type KeyObject,
} from 'node:crypto'
import type pg from 'pg'
import { one } from '../database/statement.ts'
import { READ_TRANSACTION_ID_KEY } from './queries.ts'

export interface TransactionIds {
  seal(viewerAccount: number, walletId: bigint, seq: bigint): string
  /** undefined for text that is not an id; arbitrary values for an id of another viewer. */
  open(viewerAccount: number, id: string): { walletId: bigint; seq: bigint } | undefined
}

// Stryker disable all: it needs a database.
export async function loadTransactionIds(db: pg.Pool): Promise<TransactionIds> {
  return createTransactionIds((await one(db, READ_TRANSACTION_ID_KEY)) ?? '')
}
// Stryker restore all

export function createTransactionIds(deploymentKey: string): TransactionIds {
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
      // The input is exactly one block, so the chaining mode does not matter.
      const cipher = createCipheriv('aes-128-ecb', keyOf(viewerAccount), null)
      return `txn_${cipher.update(block, undefined, 'hex')}`
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
