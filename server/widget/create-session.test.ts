import { createSession as endpoint, readWidgetWallet } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { unlink } from '../identity/link.ts'
import { makeClientApp, makeLinkedUser } from '../test/factories.ts'
import * as refusals from '../test/refusals.ts'
import { assertRefusal, basicOf, call, furnish, openSetup, type Setup } from '../test/setup.ts'

const PARENT = 'https://shop.example'
const UUID_V4 = /^ws_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

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

  async function create(there: Setup, fields = {}): Promise<Created> {
    const response = await call(there, endpoint, { ...fieldsOf(there), ...fields })
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

  it('200 returns a new, working token in the documented format each time', async () => {
    const created = [await create(setup), await create(setup)]
    for (const { sessionToken } of created) {
      assert.match(sessionToken, UUID_V4)
      const wallet = await call(setup, readWidgetWallet, { session: sessionToken })
      assert.equal(wallet.json().balance, 100)
    }
    assert.notEqual(created[0]?.sessionToken, created[1]?.sessionToken)
    assert.deepEqual(Object.keys(created[0] ?? {}), ['sessionToken', 'expiresAt'])
  })

  it('200 the session expires after five minutes by the database\u2019s clock', async () => {
    const { sessionToken, expiresAt } = await create(setup)
    const { rows } = await setup.harness.admin.query<{ at: Date; seconds: string }>(
      `select expires_at as at, extract(epoch from expires_at - now()) as seconds
       from directory.widget_sessions where token_hash = $1`,
      [hash('sha256', sessionToken, 'buffer')],
    )
    assert.equal(expiresAt, rows[0]?.at.toISOString())
    assert.match(expiresAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const seconds = Number(rows[0]?.seconds)
    assert(seconds > 290 && seconds <= 300, `${seconds} s`)
  })

  it('200 stores only the hash of the token', async () => {
    const { sessionToken } = await create(setup)
    const { rows } = await setup.harness.admin.query<{ row: string }>(
      'select s::text as row from directory.widget_sessions s',
    )
    const dump = rows.map(({ row }) => row).join('\n')
    assert(dump.includes(hash('sha256', sessionToken)))
    const uuid = sessionToken.slice(3)
    const forms = [uuid, uuid.replaceAll('-', ''), Buffer.from(sessionToken).toString('hex')]
    for (const form of forms) assert(!dump.includes(form))
  })

  it('200 binds the session to a registered parentOrigin', async () => {
    const there = await withOrigins(PARENT)
    const { sessionToken } = await create(there, { parentOrigin: PARENT })
    const { rows } = await setup.harness.admin.query(
      'select parent_origin from directory.widget_sessions where token_hash = $1',
      [hash('sha256', sessionToken, 'buffer')],
    )
    assert.deepEqual(rows, [{ parent_origin: PARENT }])
  })

  it('200 requires only wallet:read, also with Basic authentication', async () => {
    const { context } = setup.harness
    const app = await makeClientApp(context, { scopes: ['wallet:read'] })
    const there = { ...setup, app, user: await makeLinkedUser(context, app) }
    const none = { clientId: undefined, clientSecret: undefined, colour: 'blue' }
    const fields = { ...fieldsOf(there), ...none }
    const response = await call(there, endpoint, fields, basicOf(app))
    assert.equal(response.statusCode, 200)
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
    const there = await withOrigins('https://exact.example')
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
      const response = await call(there, endpoint, { ...fieldsOf(there), parentOrigin })
      assertRefusal(response, endpoint, 'ORIGIN_NOT_ALLOWED')
    }
    assert.equal(await countSessions(), earlier)
    await create(there, { parentOrigin: 'https://exact.example' })
  })

  it('404 USER_NOT_FOUND with the same bytes for an unlinked user, an unknown user and a user of another app', async () => {
    const { harness, app } = setup
    const leaver = await makeLinkedUser(harness.context, app)
    await unlink(harness.context.db, app.id, leaver.id)
    const foreign = (await furnish(harness)).user
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
    const there = await furnish(setup.harness)
    const startedMs = performance.now()
    const calls = Array.from({ length: 120 }, () => call(there, endpoint, fieldsOf(there)))
    const responses = await Promise.all(calls)
    const most = 50 + ((performance.now() - startedMs) / 1000) * 50 + 1
    const refused = responses.filter(({ statusCode }) => statusCode !== 200)
    const made = responses.length - refused.length
    assert(made >= 50 && made <= most, `${made} of 120 were made, at most ${most} may be`)
    for (const response of refused) assertRefusal(response, endpoint, 'RATE_LIMITED')
    await create(setup)
  })
})
