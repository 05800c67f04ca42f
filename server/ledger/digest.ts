import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { Operation } from './types.ts'

/** A UTF-16 code unit takes at most three bytes in UTF-8. */
const pair = Buffer.alloc(8 + 3 * 1024)

/** 128 bits of SHA-256 over scope, type length, type and id, as 32 hex digits (a uuid in PostgreSQL). */
export function digestPair(scope: number, referenceType: string, referenceId: string): string {
  assert(referenceType.length + referenceId.length <= 1024, 'the pair fits into its buffer')
  const typeBytes = pair.write(referenceType, 8)
  pair.writeUInt32BE(scope, 0)
  pair.writeUInt32BE(typeBytes, 4)
  const idBytes = pair.write(referenceId, 8 + typeBytes)
  return hash('sha256', pair.subarray(0, 8 + typeBytes + idBytes), 'hex').slice(0, 32)
}

/** The position of a kind in this list is part of every hash: add new kinds at the end, never reorder. */
export const KINDS = [
  'debit',
  'credit',
  'topup',
  'bonus',
  'seizure',
  'reversal',
  'card_refund',
  'correction_in',
  'correction_out',
  'refund',
  'hold',
  'capture',
  'release',
  'expiry',
] as const
const ENTRY_BYTES = 1 + 32 + 8 * 7 + 4 + 1 + 16
/** Version 2 adds the change of the held amount, the held amount after it, and the target. */
const HELD_AT = ENTRY_BYTES
const TARGET_AT = ENTRY_BYTES + 8 * 2
const entry = Buffer.alloc(TARGET_AT + 16)
const view = new DataView(entry.buffer, entry.byteOffset, entry.length)
const NO_TARGET = '0'.repeat(32)
const firstVersion = entry.subarray(0, ENTRY_BYTES)

/**
 * One link of a wallet's chain: SHA-256 over the version, the previous hash and the entry in a fixed layout. Version 2
 * is for entries with a target, and for those of wallets with held money; all others have version 1. It covers the
 * reference through its digest, and not the description, so that a description can be erased.
 */
export function hashOperation(
  previous: Buffer,
  operation: Omit<Operation, 'hash' | 'description' | 'referenceType' | 'referenceId'>,
  digest: string,
): Buffer {
  const { target, heldChange, heldAfter } = operation
  const isFirstVersion = target === null && heldChange === 0n && heldAfter === 0n
  view.setUint8(0, isFirstVersion ? 1 : 2)
  previous.copy(entry, 1, 0, 32)
  view.setBigInt64(33, operation.walletId)
  view.setBigInt64(41, operation.seq)
  view.setBigInt64(49, operation.amount)
  view.setBigInt64(57, operation.balanceAfter)
  view.setBigInt64(65, operation.debtChange)
  view.setBigInt64(73, operation.debtAfter)
  view.setBigInt64(81, BigInt(operation.createdAtMs))
  view.setInt32(89, operation.counterAccount)
  view.setUint8(93, KINDS.indexOf(operation.kind))
  entry.write(digest, 94, 16, 'hex')
  if (isFirstVersion) return hash('sha256', firstVersion, 'buffer')
  view.setBigInt64(HELD_AT, heldChange)
  view.setBigInt64(HELD_AT + 8, heldAfter)
  entry.write(target ?? NO_TARGET, TARGET_AT, 16, 'hex')
  return hash('sha256', entry, 'buffer')
}

/** The hash before a wallet's first operation. */
export const GENESIS_HASH: Buffer = Buffer.alloc(32)
