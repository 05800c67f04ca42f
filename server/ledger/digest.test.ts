import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { hashOperation } from './digest.ts'
import type { Kind } from './types.ts'

/** What stands in the books for ever. A new kind gets the next number; none is ever given another. */
const NUMBERS: Record<Kind, number> = {
  debit: 0,
  credit: 1,
  topup: 2,
  bonus: 3,
  seizure: 4,
  reversal: 5,
  refund: 6,
  correction_in: 7,
  correction_out: 8,
}

function bigEndian(value: bigint, bytes: number): Buffer {
  const hex = BigInt.asUintN(bytes * 8, value).toString(16)
  return Buffer.from(hex.padStart(bytes * 2, '0'), 'hex')
}

describe('hashOperation', () => {
  for (const kind of Object.keys(NUMBERS) as Kind[]) {
    it(`hashes a ${kind} as it did the first time`, () => {
      const previous = Buffer.alloc(32, 0xab)
      const digest = '00112233445566778899aabbccddeeff'
      const operation = {
        walletId: 7n,
        seq: 3n,
        kind,
        amount: -5n,
        balanceAfter: 95n,
        debtChange: 2n,
        debtAfter: 4n,
        counterAccount: 1234,
        createdAtMs: 1_700_000_000_123,
      }
      const numbers = [7n, 3n, -5n, 95n, 2n, 4n, 1_700_000_000_123n]
      const entry = Buffer.concat([
        Buffer.from([1]),
        previous,
        ...numbers.map((each) => bigEndian(each, 8)),
        bigEndian(1234n, 4),
        Buffer.from([NUMBERS[kind]]),
        Buffer.from(digest, 'hex'),
      ])
      const expected = createHash('sha256').update(entry).digest('hex')
      assert.equal(hashOperation(previous, operation, digest).toString('hex'), expected)
    })
  }
})
