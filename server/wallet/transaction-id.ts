/**
 * Transaction ids: wallet and seq, 16 bytes, encrypted as one AES block with a key per client app. They are unique,
 * reveal nothing, differ per app so that two apps cannot recognize a person by them, need no column and no index, and
 * can be decrypted to find the operation.
 */
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  type Cipheriv,
  type KeyObject,
} from 'node:crypto'
import type pg from 'pg'
import { one } from '../database/statement.ts'
import { READ_TRANSACTION_ID_KEY } from './queries.ts'

export interface TransactionIds {
  encode(viewerAccount: number, walletId: bigint, seq: bigint): string
  /** undefined for text that is not an id; arbitrary values for an id of another viewer. */
  decode(viewerAccount: number, id: string): { walletId: bigint; seq: bigint } | undefined
}

/** The id of another viewer decodes to arbitrary numbers of 64 bits. */
export function isPossible({ walletId, seq }: { walletId: bigint; seq: bigint }): boolean {
  const isSmall = (value: bigint) => value >= 0n && value < 2n ** 48n
  return isSmall(walletId) && isSmall(seq)
}

// Stryker disable all: it needs a database.
export async function loadTransactionIds(db: pg.Pool): Promise<TransactionIds> {
  return createTransactionIds((await one(db, READ_TRANSACTION_ID_KEY)) ?? '')
}
// Stryker restore all

export function createTransactionIds(deploymentKey: string): TransactionIds {
  const viewers = new Map<number, { key: KeyObject; cipher: Cipheriv }>()
  const block = Buffer.alloc(16)
  function viewerOf(ledgerAccount: number) {
    const known = viewers.get(ledgerAccount)
    if (known) return known
    const digest = hash('sha256', `${deploymentKey} ${ledgerAccount}`, 'buffer')
    const key = createSecretKey(digest.subarray(0, 16))
    // Every input is exactly one block, so the mode does not matter and the cipher has no state: creating one for each
    // id would take three times as long, and every debit returns an id.
    const viewer = { key, cipher: createCipheriv('aes-128-ecb', key, null) }
    viewers.set(ledgerAccount, viewer)
    return viewer
  }
  return {
    encode(viewerAccount, walletId, seq) {
      block.writeBigInt64BE(walletId, 0)
      block.writeBigInt64BE(seq, 8)
      return `txn_${viewerOf(viewerAccount).cipher.update(block, undefined, 'hex')}`
    },
    decode(viewerAccount, id) {
      const hex = /^txn_([0-9a-f]{32})$/.exec(id)?.[1]
      if (hex === undefined) return undefined
      const decipher = createDecipheriv('aes-128-ecb', viewerOf(viewerAccount).key, null)
      const decoded = decipher.setAutoPadding(false).update(hex, 'hex')
      return { walletId: decoded.readBigInt64BE(0), seq: decoded.readBigInt64BE(8) }
    },
  }
}
