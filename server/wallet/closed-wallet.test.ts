/** The wallet of a deleted account: a request whose link was read just before the deletion still reaches it. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { hold } from '@coffer/contract/server/holds'
import { credit, debit } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { inTransaction } from '../database/in-transaction.ts'
import { BONUS_ACCOUNT, PROCESSOR_ACCOUNT } from '../ledger/types.ts'
import { pairOf, pay } from '../test/ledger/refund-setup.ts'
import { assertRefusal, assertReplay, call, openSetup, type Setup } from '../test/setup.ts'

const TEXTS = { description: 'for Ada', metadata: { name: 'Ada' } }

let setup: Setup
before(async () => {
  setup = await openSetup()
  const { db, ledger } = setup.harness.context
  await pay(setup, 100)
  assert.equal(await inTransaction(db, (tx) => ledger.closeWallet(setup.user.walletId, tx)), true)
})
after(() => setup.harness.end())

async function isRefused(endpoint: Endpoint) {
  const { serviceUserId } = setup.user
  const fields = { serviceUserId, amount: 1, ...pairOf('ORDER'), ...TEXTS }
  const response = await call(setup, endpoint, fields)
  assertRefusal(response, endpoint, 'WALLET_CLOSED')
  assertReplay(await call(setup, endpoint, fields), response)
}

describe('POST /api/server/wallet/debit', () => {
  it('409 WALLET_CLOSED is recorded', () => isRefused(debit))
})

describe('POST /api/server/wallet/credit', () => {
  it('409 WALLET_CLOSED is recorded', () => isRefused(credit))
})

describe('POST /api/server/wallet/hold', () => {
  it('409 WALLET_CLOSED is recorded', () => isRefused(hold))
})

describe('a closed wallet', () => {
  it('refuses a bonus, accepts what the card processor sends, and stores no texts', async () => {
    const { ledger } = setup.harness.context
    const { walletId } = setup.user
    const common = { walletId, amountMinor: 1_00n, description: 'for Ada' }
    const bonus = { ...common, kind: 'bonus' as const, counterAccount: BONUS_ACCOUNT }
    const refused = await ledger.post({ ...bonus, ...pairOf('BONUS') })
    assert.equal(refused.decision.refusal, 'WALLET_CLOSED')
    const topup = { ...common, kind: 'topup' as const, counterAccount: PROCESSOR_ACCOUNT }
    const posted = await ledger.post({ ...topup, ...pairOf('TOPUP') })
    assert.equal(posted.decision.refusal, null)
    const { rows } = await setup.harness.admin.query(
      `select (select count(*)::int from ledger.operations where wallet_id = $1 and description is not null) as described,
        (select count(*)::int from ledger.metadata m join ledger.operation_keys k using (digest) where k.wallet_id = $1) as annotated`,
      [walletId],
    )
    assert.deepEqual(rows, [{ described: 0, annotated: 0 }])
  })
})
