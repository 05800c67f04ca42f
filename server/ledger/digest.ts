import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { Operation } from './types.ts'

/** A UTF-16 unit takes at most three bytes. */
const pair = Buffer.alloc(8 + 3 * 1024)

/** 128 bits over the length-prefixed parts of a pair's name, as 32 hex digits (a uuid to PostgreSQL). */
export function digestPair(scope: number, referenceType: string, referenceId: string): string {
  assert(referenceType.length + referenceId.length <= 1024, 'the pair fits into its buffer')
  const typeBytes = pair.write(referenceType, 8)
  pair.writeUInt32BE(scope, 0)
  pair.writeUInt32BE(typeBytes, 4)
  const idBytes = pair.write(referenceId, 8 + typeBytes)
  return hash('sha256', pair.subarray(0, 8 + typeBytes + idBytes), 'hex').slice(0, 32)
}

const CHAIN_VERSION = 1
const KINDS = ['debit', 'credit', 'topup', 'bonus', 'seizure', 'reversal'] as const
const ENTRY_BYTES = 1 + 32 + 8 * 7 + 4 + 1 + 16
const entry = Buffer.alloc(ENTRY_BYTES)

/**
 * One link of a wallet's chain: SHA-256 over the version, the previous hash and the entry in a fixed layout.
 * The reference is in it through its digest; the description is not, so that it can be erased.
 */
export function hashOperation(
  previous: Buffer,
  operation: Omit<Operation, 'hash' | 'description' | 'referenceType' | 'referenceId'>,
  digest: string,
): Buffer {
  entry.writeUInt8(CHAIN_VERSION, 0)
  previous.copy(entry, 1, 0, 32)
  entry.writeBigInt64BE(operation.walletId, 33)
  entry.writeBigInt64BE(operation.seq, 41)
  entry.writeBigInt64BE(operation.amount, 49)
  entry.writeBigInt64BE(operation.balanceAfter, 57)
  entry.writeBigInt64BE(operation.debtChange, 65)
  entry.writeBigInt64BE(operation.debtAfter, 73)
  entry.writeBigInt64BE(BigInt(operation.createdAtMs), 81)
  entry.writeInt32BE(operation.counterAccount, 89)
  entry.writeUInt8(KINDS.indexOf(operation.kind), 93)
  entry.write(digest, 94, 16, 'hex')
  return hash('sha256', entry, 'buffer')
}

/** The hash before a wallet's first operation. */
export const GENESIS_HASH: Buffer = Buffer.alloc(32)
