import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { digestPair, GENESIS_HASH, hashOperation } from './digest.ts'
import type { Kind } from './types.ts'

/** These numbers are stored in the books forever. A new kind gets the next number; a number never changes. */
const NUMBERS: Record<Kind, number> = {
  debit: 0,
  credit: 1,
  topup: 2,
  bonus: 3,
  seizure: 4,
  reversal: 5,
  card_refund: 6,
  correction_in: 7,
  correction_out: 8,
  refund: 9,
  hold: 10,
  capture: 11,
  release: 12,
  expiry: 13,
}

function bigEndian(value: bigint, bytes: number): Buffer {
  const hex = BigInt.asUintN(bytes * 8, value).toString(16)
  return Buffer.from(hex.padStart(bytes * 2, '0'), 'hex')
}

describe('hashOperation', () => {
  for (const kind of Object.keys(NUMBERS) as Kind[]) {
    it(`returns the same hash for a ${kind} in every version`, () => {
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
        heldChange: 0n,
        heldAfter: 0n,
        counterAccount: 1234,
        target: null,
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
      // Version 2: the held amounts, and the digest of the target, follow.
      const target = 'ffeeddccbbaa99887766554433221100'
      entry[0] = 2
      for (const [heldChange, heldAfter, targetOf] of [
        [0n, 0n, target],
        [-6n, 8n, target],
        [0n, 8n, null],
        [-6n, 0n, null],
      ] as const) {
        const held = [heldChange, heldAfter].map((each) => bigEndian(each, 8))
        const last = targetOf === null ? Buffer.alloc(16) : Buffer.from(targetOf, 'hex')
        const longer = Buffer.concat([entry, ...held, last])
        const fields = { ...operation, heldChange, heldAfter, target: targetOf }
        const second = hashOperation(previous, fields, digest)
        assert.equal(second.toString('hex'), createHash('sha256').update(longer).digest('hex'))
      }
      // It does not affect the next hash of version 1.
      assert.equal(hashOperation(previous, operation, digest).toString('hex'), expected)
    })
  }
})

describe('digestPair', () => {
  it('returns the first half of the SHA-256 of scope, length of the type, type and id', () => {
    const [type, id] = ['ÄRGER_日本', 'order-😀-1']
    const bytes = Buffer.concat([
      bigEndian(1001n, 4),
      bigEndian(BigInt(Buffer.byteLength(type)), 4),
      Buffer.from(type),
      Buffer.from(id),
    ])
    const expected = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    assert.equal(digestPair(1001, type, id), expected)
  })

  it('returns the same digest in every version', () => {
    assert.equal(digestPair(0, 'TOPUP', 'pi_1'), 'ba0e373d5343cbac0e184be2bafe1cc5')
  })

  it('returns different digests for different scopes, types, ids and lengths of the type', () => {
    const pairs: [number, string, string][] = [
      [1, 'AB', 'C'],
      [2, 'AB', 'C'],
      [1, 'A', 'BC'],
      [1, 'ABC', ''],
      [1, '', 'ABC'],
      [1, 'AB', 'c'],
      [256, 'AB', 'C'],
    ]
    assert.equal(new Set(pairs.map((pair) => digestPair(...pair))).size, pairs.length)
  })

  it('does not depend on the pair before it', () => {
    const alone = digestPair(1, 'A', 'B')
    digestPair(2 ** 32 - 1, 'X'.repeat(500), 'Y'.repeat(500))
    assert.equal(digestPair(1, 'A', 'B'), alone)
  })

  it('accepts 1024 characters of three bytes each, and no more', () => {
    const [type, id] = ['日'.repeat(24), '本'.repeat(1_000)]
    const longer = digestPair(1, type, id)
    assert.match(longer, /^[0-9a-f]{32}$/)
    assert.notEqual(longer, digestPair(1, type, `${'本'.repeat(999)}日`))
    assert.throws(() => digestPair(1, type, `${id}x`), /fits/)
  })
})

describe('the hash chain', () => {
  it('starts with 32 zero bytes', () => {
    assert.equal(GENESIS_HASH.toString('hex'), '00'.repeat(32))
  })

  it('includes every field of an operation and the previous hash', () => {
    const operation = {
      walletId: 7n,
      seq: 3n,
      kind: 'debit' as Kind,
      amount: -5n,
      balanceAfter: 95n,
      debtChange: 2n,
      debtAfter: 4n,
      heldChange: -6n,
      heldAfter: 8n,
      counterAccount: 1234,
      target: '0123456789abcdef0123456789abcdef',
      createdAtMs: 1_700_000_000_123,
    }
    const digest = '00112233445566778899aabbccddeeff'
    const hashes = [
      hashOperation(GENESIS_HASH, operation, digest),
      hashOperation(Buffer.alloc(32, 1), operation, digest),
      hashOperation(GENESIS_HASH, operation, `${digest.slice(0, -1)}0`),
      hashOperation(GENESIS_HASH, { ...operation, kind: 'credit' }, digest),
      hashOperation(GENESIS_HASH, { ...operation, target: digest }, digest),
      hashOperation(GENESIS_HASH, { ...operation, target: null }, digest),
      ...(Object.keys(operation) as (keyof typeof operation)[])
        .filter((field) => field !== 'kind' && field !== 'target')
        .map((field) => {
          const value = operation[field]
          const changed = typeof value === 'bigint' ? value + 1n : value + 1
          return hashOperation(GENESIS_HASH, { ...operation, [field]: changed }, digest)
        }),
    ]
    assert.equal(new Set(hashes.map((each) => each.toString('hex'))).size, 16)
  })
})
