import { createSession as endpoint } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { unlink } from '../identity/link.ts'
import { makeClientApp, makeLinkedUser } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, call, addShop, openSetup, type Setup } from '../test/setup.ts'

const PARENT = 'https://shop.example'

interface Created {
  sessionToken: string
  expiresAt: string
}

describe('POST /api/widget/session', () => {
  let setup: Setup
  before(async () => {
    setup = await openSetup()
  })
  after(() => setup.harness.end())

  const fieldsOf = ({ user }: Setup) => ({ serviceUserId: user.serviceUserId })

  async function create(shop: Setup, fields = {}): Promise<Created> {
    const response = await call(shop, endpoint, { ...fieldsOf(shop), ...fields })
    assert.equal(response.statusCode, 200, response.body)
    return response.json<Created>()
  }

  /** The setup with an app that lists an origin in each of its two lists. */
  async function withOrigins(parent: string, origin = 'https://only-an-origin.example') {
    const { context } = setup.harness
    const origins = { allowedIframeParents: [parent], allowedOrigins: [origin] }
    const app = await makeClientApp(context, origins)
    return { ...setup, app, user: await makeLinkedUser(context, app) }
  }

  async function countSessions(): Promise<unknown> {
    const { rows } = await setup.harness.admin.query(
      'select count(*) from directory.widget_sessions',
    )
    return rows[0].count
  }

  it('200 binds the session to a registered parentOrigin', async () => {
    const shop = await withOrigins(PARENT)
    const { sessionToken } = await create(shop, { parentOrigin: PARENT })
    const { rows } = await setup.harness.admin.query(
      'select parent_origin from directory.widget_sessions where token_hash = $1',
      [hash('sha256', sessionToken, 'buffer')],
    )
    assert.deepEqual(rows, [{ parent_origin: PARENT }])
  })

  it('400 INVALID_REQUEST for invalid fields', () =>
    refusals.refusesFields(setup, endpoint, fieldsOf, [
      ...[undefined, null, '', 5, true, [], {}, 'a\u0000', 'x'.repeat(256)].map(
        (value): [string, unknown] => ['serviceUserId', value],
      ),
      ...[null, 5, true, [], {}, [PARENT], 'x'.repeat(2049)].map((value): [string, unknown] => [
        'parentOrigin',
        value,
      ]),
    ]))

  it('403 ORIGIN_NOT_ALLOWED unless exactly this origin is registered', async () => {
    const shop = await withOrigins('https://exact.example')
    const earlier = await countSessions()
    const others = [
      'https://exact.example/',
      'https://exact.example:444',
      'https://EXACT.example',
      'http://exact.example',
      'https://exact.example.evil.example',
      'https://sub.exact.example',
      'https://only-an-origin.example',
      'null',
      '*',
      '',
    ]
    for (const parentOrigin of others) {
      const response = await call(shop, endpoint, { ...fieldsOf(shop), parentOrigin })
      assertRefusal(response, endpoint, 'ORIGIN_NOT_ALLOWED')
    }
    assert.equal(await countSessions(), earlier)
    await create(shop, { parentOrigin: 'https://exact.example' })
  })

  it('404 USER_NOT_FOUND with the same bytes for an unlinked user, an unknown user and a user of another app', async () => {
    const { harness, app } = setup
    const leaver = await makeLinkedUser(harness.context, app)
    await unlink(harness.context.db, app.id, leaver.id)
    const foreign = (await addShop(harness)).user
    const earlier = await countSessions()
    const ids = [leaver.serviceUserId, foreign.serviceUserId, `su_${'a'.repeat(32)}`, 'nobody']
    const bodies = new Set<string>()
    for (const serviceUserId of ids) {
      const response = await call(setup, endpoint, { serviceUserId })
      assertRefusal(response, endpoint, 'USER_NOT_FOUND')
      bodies.add(response.body)
    }
    assert.equal(bodies.size, 1)
    assert.equal(await countSessions(), earlier)
  })

  it('429 RATE_LIMITED above fifty sessions a second, for that app only', async () => {
    const shop = await addShop(setup.harness)
    const startedMs = performance.now()
    const calls = Array.from({ length: 120 }, () => call(shop, endpoint, fieldsOf(shop)))
    const responses = await Promise.all(calls)
    const most = 50 + ((performance.now() - startedMs) / 1000) * 50 + 1
    const refused = responses.filter(({ statusCode }) => statusCode !== 200)
    const made = responses.length - refused.length
    assert(made >= 50 && made <= most, `${made} of 120 were made, at most ${most} may be`)
    for (const response of refused) assertRefusal(response, endpoint, 'RATE_LIMITED')
    await create(setup)
  })
})
