/** Who cannot use a saved card, and when it is deleted. */
import * as endpoints from '@coffer/contract/account/cards'
import { createIntent } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { deletePerson } from '../../account/queries.ts'
import { run } from '../../database/statement.ts'
import { link } from '../../identity/link.ts'
import { ask } from '../../test/account-setup.ts'
import { makePayer } from '../../test/own-topup-setup.ts'
import { assertRefusal } from '../../test/setup.ts'
import { mintSession } from '../../test/shop.ts'
import {
  assertBooks,
  inSession,
  openTopupSetup,
  post,
  sweepNow,
  walletOf,
  type Intent,
  type TopupSetup,
} from '../../test/topup-setup.ts'
import { endTopups } from '../end-topups.ts'
import { confirmInBrowser, saveCard } from '../../test/topup/card-setup.ts'

let setup: TopupSetup
before(async () => {
  setup = await openTopupSetup({ LOG_INS_PER_MINUTE: '10000', PASSWORD_HASHES_PER_SECOND: '1000' })
})
after(async () => {
  await assertBooks(setup)
  await setup.close()
})

const newPayer = () => makePayer(setup)

describe('a widget session, which a client app creates', () => {
  it('reaches no endpoint of saved cards', async () => {
    const session = await mintSession(setup)
    const id = await saveCard(setup, await newPayer())
    for (const endpoint of Object.values(endpoints).filter((each) => 'path' in each)) {
      const response = await ask({ harness: setup.harness }, inSession(endpoint, session), { id })
      assertRefusal(response, endpoint, 'LOGIN_REQUIRED')
    }
  })

  it("cannot charge the person's saved card, even with its id and the client secret", async () => {
    const payer = await newPayer()
    const cardId = await saveCard(setup, payer)
    const serviceUserId = await link(setup.harness.context.db, setup.app.id, payer.person.id)
    const shop = { ...setup, user: { ...payer.person, serviceUserId } }
    const balance = (await walletOf(payer)).balance
    // The fields of /account have no effect in the widget.
    for (const fields of [{}, { cardId }, { saveCard: true }]) {
      const session = await mintSession(shop)
      const asked = { amount: 20, ...fields }
      const response = await post(shop, inSession(createIntent, session), asked)
      const { clientSecret, paymentIntentId } = response.json<Intent>()
      const intent = setup.sandbox.state.paymentIntents.get(paymentIntentId)
      assert.deepEqual([intent?.customer, intent?.payment_method], [null, null])
      const { status } = await confirmInBrowser(setup, clientSecret, { payment_method: cardId })
      assert.equal(status, 400)
    }
    assert.equal((await walletOf(payer)).balance, balance)
  })
})

describe('the deletion of a person', () => {
  it('deletes the saved cards at the processor, also after it was down', async () => {
    const payer = await newPayer()
    await saveCard(setup, payer)
    const customers = 'select customer_id from directory.customers where service_user_id = $1'
    const { admin, context } = setup.harness
    const { rows } = await admin.query<{ customer_id: string }>(customers, [payer.person.id])
    const customer = rows[0]?.customer_id ?? assert.fail()
    await run(context.db, deletePerson(payer.person.id))
    setup.sandbox.faults.status500 = { times: 2, route: 'DELETE /v1/customers/:id' }
    await sweepNow(setup, ['finish-erasures'])
    assert(setup.sandbox.state.customers.has(customer))
    await sweepNow(setup, ['finish-erasures'])
    assert(!setup.sandbox.state.customers.has(customer))
    assert.equal((await admin.query(customers, [payer.person.id])).rowCount, 0)
  })

  it('is possible while a charge of a removed card has not started', async () => {
    const payer = await newPayer()
    const cardId = await saveCard(setup, payer)
    setup.sandbox.state.detached.add(cardId)
    const { admin } = setup.harness
    const { id, walletId } = payer.user
    const { rows } = await admin.query<{ id: string }>(
      `insert into directory.topups (service_user_id, wallet_id, amount, customer_id, card_id, is_automatic)
       select service_user_id, $2, 2000, customer_id, $3, true from directory.customers where service_user_id = $1
       returning id`,
      [id, walletId, cardId],
    )
    await endTopups(setup.tools, id)
    const ended = await admin.query('select status from directory.topups where id = $1', [
      rows[0]?.id,
    ])
    assert.deepEqual(ended.rows, [{ status: 'ended' }])
  })

  it('deletes a row whose customer the processor has deleted already', async () => {
    const payer = await newPayer()
    await setup.harness.admin.query(
      'insert into directory.customers (service_user_id, customer_id, ended_at) values ($1, $2, now())',
      [payer.person.id, `cus_${randomUUID().slice(0, 8)}`],
    )
    await sweepNow(setup, ['finish-erasures'])
    const { rowCount } = await setup.harness.admin.query(
      'select from directory.customers where ended_at is not null',
    )
    assert.equal(rowCount, 0)
  })
})
