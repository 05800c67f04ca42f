import assert from 'node:assert/strict'
import type pg from 'pg'
import { loadTransactionIds } from '../../../server/wallet/transaction-id.ts'
import type { FuzzTarget } from './fuzz-target.ts'

const key = { rows: [{ key: 'a key of this deployment' }] }
const ids = await loadTransactionIds({ query: async () => key } as unknown as pg.Pool)
const VIEWER = 7

/** Ids are cursors too. An id that can be decrypted encrypts to the same text again; nothing else is accepted. */
export const TRANSACTION_IDS: FuzzTarget = {
  name: 'transaction ids',
  seeds: [ids.encode(VIEWER, 1n, 1n), ids.encode(VIEWER, 2n ** 62n, 5n), 'txn_', 'txn_0', ''],
  dictionary: ['txn_', '0', 'f', 'F', '\n', ' ', 'ffffffffffffffffffffffffffffffff'],
  run(input) {
    const text = input.toString('latin1')
    const opened = ids.decode(VIEWER, text)
    if (opened === undefined) return assert(!/^txn_[0-9a-f]{32}$/.test(text) || text.endsWith('\n'))
    assert.equal(ids.encode(VIEWER, opened.walletId, opened.seq), text)
  },
}
