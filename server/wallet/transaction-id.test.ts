import assert from 'node:assert/strict'
import { createCipheriv, createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { createTransactionIds, isPossible } from './transaction-id.ts'

const KEY = 'a key of this deployment'
const ids = createTransactionIds(KEY)
const PLACES = [
  [1n, 1n],
  [1n, 2n],
  [2n, 1n],
  [256n, 0n],
  [2n ** 62n, 2n ** 62n + 1n],
] as const

describe('transaction ids', () => {
  it('encrypt wallet and seq in one AES block, and stay the same in every version', () => {
    const key = createHash('sha256').update(`${KEY} 1001`).digest().subarray(0, 16)
    const block = Buffer.from('00000000000000070000000000000102', 'hex')
    const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false)
    const expected = `txn_${cipher.update(block).toString('hex')}`
    assert.equal(ids.encode(1001, 7n, 258n), expected)
    assert.equal(createTransactionIds(KEY).encode(1001, 7n, 258n), expected)
  })

  it('decrypt to the original wallet and seq', () => {
    for (const viewer of [-1, 0, 1001]) {
      for (const [walletId, seq] of PLACES) {
        assert.deepEqual(ids.decode(viewer, ids.encode(viewer, walletId, seq)), { walletId, seq })
      }
    }
  })

  it('differ for every viewer, wallet, seq and deployment', () => {
    const all = [-1, 1, 1001].flatMap((viewer) =>
      PLACES.flatMap(([walletId, seq]) => [
        ids.encode(viewer, walletId, seq),
        createTransactionIds('another key').encode(viewer, walletId, seq),
      ]),
    )
    assert.equal(new Set(all).size, 3 * PLACES.length * 2)
  })

  it('of another viewer do not decrypt to the wallet', () => {
    const id = ids.encode(1001, 7n, 3n)
    assert.notDeepEqual(ids.decode(1002, id), { walletId: 7n, seq: 3n })
    assert.notDeepEqual(createTransactionIds('another key').decode(1001, id), {
      walletId: 7n,
      seq: 3n,
    })
  })

  it('are rejected if the text has another format', () => {
    const id = ids.encode(1, 7n, 3n)
    const wrong = ['', 'txn_', id.slice(0, -1), `${id}0`, ` ${id}`, `${id}\n`, id.slice(4)]
    const shapes = [id.toUpperCase(), id.replace('txn_', 'tx_'), `txn_${'g'.repeat(32)}`, `x${id}`]
    for (const text of [...wrong, ...shapes]) assert.equal(ids.decode(1, text), undefined, text)
  })

  it('are possible if wallet and seq have at most 48 bits, which those of another viewer do not', () => {
    const largest = 2n ** 48n - 1n
    const possible = [0n, 1n, largest]
    for (const value of possible) {
      assert(isPossible({ walletId: value, seq: 1n }))
      assert(isPossible({ walletId: 1n, seq: value }))
    }
    for (const value of [-1n, largest + 1n, 2n ** 63n - 1n]) {
      assert(!isPossible({ walletId: value, seq: 1n }))
      assert(!isPossible({ walletId: 1n, seq: value }))
    }
  })
})
