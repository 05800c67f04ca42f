import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  begin,
  confirm,
  openTopupSetup,
  walletOf,
  withNewUser,
  type TopupSetup,
} from '../test/topup-setup.ts'

describe('3-D Secure', () => {
  let setup: TopupSetup
  let automatic: TopupSetup
  before(async () => {
    setup = await openTopupSetup({ THREE_D_SECURE_ABOVE: '50' })
    automatic = await openTopupSetup()
  })
  after(async () => {
    await setup.close()
    await automatic.close()
  })

  async function requested(shop: TopupSetup, amount: number) {
    const { paymentIntentId } = await begin(await withNewUser(shop), amount)
    const intent = shop.sandbox.state.paymentIntents.get(paymentIntentId)
    return intent?.payment_method_options?.card?.request_three_d_secure
  }

  it('is requested above the amount only', async () => {
    assert.equal(await requested(setup, 50), 'automatic')
    assert.equal(await requested(setup, 50.01), 'any')
    assert.equal(await requested(automatic, 1000), 'automatic')
  })

  it('is passed before a large amount is credited', async () => {
    const shop = await withNewUser(setup)
    const intent = await begin(shop, 60)
    shop.sandbox.complete(intent.paymentIntentId, '4242424242424242')
    const response = await confirm(shop, intent)
    assert.equal(response.json<{ status: string }>().status, 'requires_action', response.body)
    assert.equal((await walletOf(shop)).balance, 0n)
  })
})
