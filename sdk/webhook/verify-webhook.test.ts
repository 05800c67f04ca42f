import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, describe, it, mock } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { CofferEvent } from '../event-types.ts'
import { InvalidWebhookError, type InvalidWebhookCode } from './invalid-webhook-error.ts'
import type { WebhookEvent } from './types.ts'
import { verifyWebhook } from './verify-webhook.ts'

const newSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString('base64')}`
const SECRET = newSecret()
const EVENT = {
  id: 'evt_3f2504e04f8941d39a0c0305e82c3301',
  sequence: 17,
  type: 'link.ended',
  createdAt: '2026-11-17T09:30:00.000Z',
  data: { serviceUserId: 'su_ä€😀', reason: 'user' },
}
const BODY = JSON.stringify(EVENT)
const nowSeconds = () => Math.floor(Date.now() / 1_000)

/** What a sender sends, signed by the library of Standard Webhooks. */
function sign(body = BODY, secret = SECRET, seconds = nowSeconds()) {
  const signature = new Webhook(secret).sign(EVENT.id, new Date(seconds * 1_000), body)
  const headers: Record<string, string> = {
    'webhook-id': EVENT.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signature,
  }
  return { body, headers }
}

async function rejects(verifying: Promise<unknown>, code: InvalidWebhookCode, message?: RegExp) {
  const error = await verifying.then(
    () => assert.fail('it was accepted'),
    (thrown: unknown) => thrown,
  )
  assert(error instanceof InvalidWebhookError, String(error))
  assert.equal(error.code, code)
  assert.equal(error.name, 'InvalidWebhookError')
  assert.match(error.message, message ?? /\.$/)
  assert(!error.message.includes(SECRET.slice(6, 16)))
}

afterEach(() => mock.timers.reset())

describe('verifyWebhook', () => {
  it('accepts what the library of Standard Webhooks signs, as text and as bytes', async () => {
    const { body, headers } = sign()
    const bytes = new TextEncoder().encode(body)
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
    shared.set(bytes)
    for (const raw of [body, bytes, Buffer.from(body), shared]) {
      assert.deepEqual(await verifyWebhook(raw, headers, SECRET), EVENT)
    }
    for (const length of [24, 64]) {
      const secret = newSecret(length)
      assert.deepEqual(await verifyWebhook(body, sign(body, secret).headers, secret), EVENT)
    }
  })

  it('accepts the headers of Node, of fetch and of platforms that change the case', async () => {
    const { body, headers } = sign()
    const upper = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
    const lists = Object.entries(headers).map(([name, value]) => [name, [value]])
    const kinds = [new Headers(headers), Object.fromEntries(upper), Object.fromEntries(lists)]
    for (const each of kinds) assert.deepEqual(await verifyWebhook(body, each, SECRET), EVENT)
  })

  it('accepts the example of the specification of Standard Webhooks', async () => {
    mock.timers.enable({ apis: ['Date'], now: 1_614_265_330_000 })
    const headers = {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    }
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    // The signature is right; its body is not one of our events.
    const verifying = verifyWebhook('{"test": 2432232314}', headers, secret)
    await rejects(verifying, 'INVALID_BODY', /^The signature is right/)
    const changed = verifyWebhook('{"test": 2432232315}', headers, secret)
    await rejects(changed, 'NO_MATCHING_SIGNATURE')
  })

  it('rejects every changed byte of the body, the id, the time and the signature', async () => {
    const { body, headers } = sign()
    const bytes = new TextEncoder().encode(body)
    for (let index = 0; index < bytes.length; index++) {
      const changed = Uint8Array.from(bytes, (byte, at) => (at === index ? byte ^ 1 : byte))
      await rejects(verifyWebhook(changed, headers, SECRET), 'NO_MATCHING_SIGNATURE')
    }
    for (const more of [`${body} `, body.slice(1), '', `\uFEFF${body}`]) {
      await rejects(verifyWebhook(more, headers, SECRET), 'NO_MATCHING_SIGNATURE')
    }
    for (const [name, value] of Object.entries(headers)) {
      for (let index = 0; index < value.length; index++) {
        const digit = value[index] === '1' ? '2' : '1'
        const changed = value.slice(0, index) + digit + value.slice(index + 1)
        const verifying = verifyWebhook(body, { ...headers, [name]: changed }, SECRET)
        const error = await verifying.catch((thrown: unknown) => thrown)
        assert(error instanceof InvalidWebhookError, `${name} ${changed}`)
      }
    }
  })

  it('does not accept parts that were moved between the id, the time and the body', async () => {
    const { body, headers } = sign(`1.${BODY}`)
    const moved = { ...headers, 'webhook-timestamp': `${headers['webhook-timestamp']}.1` }
    await rejects(verifyWebhook(BODY, moved, SECRET), 'INVALID_TIMESTAMP')
    const id = { ...headers, 'webhook-id': `${EVENT.id}.` }
    await rejects(verifyWebhook(body, id, SECRET), 'NO_MATCHING_SIGNATURE')
  })

  it('allows a difference of five minutes in both directions, and no second more', async () => {
    const seconds = nowSeconds()
    mock.timers.enable({ apis: ['Date'], now: seconds * 1_000 + 999 })
    for (const allowed of [seconds - 300, seconds, seconds + 300]) {
      const { body, headers } = sign(BODY, SECRET, allowed)
      assert.deepEqual(await verifyWebhook(body, headers, SECRET), EVENT)
    }
    const old = sign(BODY, SECRET, seconds - 301).headers
    await rejects(verifyWebhook(BODY, old, SECRET), 'TIMESTAMP_TOO_OLD', /301 seconds ago.*clock/)
    const early = sign(BODY, SECRET, seconds + 301).headers
    await rejects(verifyWebhook(BODY, early, SECRET), 'TIMESTAMP_TOO_NEW', /301 .*future.*clock/)
  })

  it('rejects a time that is not a number of seconds', async () => {
    const { body, headers } = sign()
    for (const time of [' ', 'now', '1e9', '-1', '0x66', '1.5', `${nowSeconds()}000`, 'NaN']) {
      const verifying = verifyWebhook(body, { ...headers, 'webhook-timestamp': time }, SECRET)
      await rejects(verifying, 'INVALID_TIMESTAMP')
    }
  })

  it('needs every header, and names the one that is missing', async () => {
    const { body, headers } = sign()
    for (const name of Object.keys(headers)) {
      const { [name]: _, ...others } = headers
      const message = new RegExp(`no header ${name},`)
      for (const given of [others, new Headers(others), { ...headers, [name]: [] }]) {
        await rejects(verifyWebhook(body, given, SECRET), 'MISSING_HEADER', message)
      }
    }
  })

  it('accepts one of several signatures, and one of several secrets, while a secret is rotated', async () => {
    const [old, current] = [newSecret(), newSecret()]
    const { body, headers } = sign(BODY, current)
    const both = `${sign(BODY, old).headers['webhook-signature']} ${headers['webhook-signature']}`
    const rotating = { ...headers, 'webhook-signature': `v1a,AAAA ${both} v2,x` }
    for (const secret of [old, current, [old], [old, current], [undefined, current, '']]) {
      assert.deepEqual(await verifyWebhook(body, rotating, secret), EVENT)
    }
    assert.deepEqual(await verifyWebhook(body, headers, [old, current]), EVENT)
    await rejects(verifyWebhook(body, headers, old), 'NO_MATCHING_SIGNATURE', /secret/)
    const others = verifyWebhook(body, rotating, [newSecret(), newSecret()])
    await rejects(others, 'NO_MATCHING_SIGNATURE')
  })

  it('rejects signatures of other versions and other spellings', async () => {
    const { body, headers } = sign()
    const [, signature = ''] = headers['webhook-signature']?.split(',') ?? []
    const texts = [signature, `v2,${signature}`, `v1,${signature.slice(0, -1)}`, 'v1,', 'v1,%%%']
    for (const text of [...texts, `v1, ${signature}`, `V1,${signature}`, `v1,${signature}=`]) {
      const verifying = verifyWebhook(body, { ...headers, 'webhook-signature': text }, SECRET)
      await rejects(verifying, 'NO_MATCHING_SIGNATURE')
    }
  })

  it('explains what is wrong with a secret, without repeating it', async () => {
    const { body, headers } = sign()
    const key = SECRET.slice(6)
    const cases: [secret: string | undefined | (string | undefined)[], message: RegExp][] = [
      [undefined, /missing/],
      ['', /missing/],
      [[], /missing/],
      [[undefined], /missing/],
      [`coffer_sk_${key}`, /must begin with whsec_.*not the client secret/],
      [key, /must begin with whsec_/],
      [SECRET.slice(0, -1), /completely, including =/],
      [`${SECRET}\n`, /without spaces or quotes/],
      [`whsec_${randomBytes(23).toString('base64')}`, /24 to 64 bytes/],
      [`whsec_${randomBytes(65).toString('base64')}`, /24 to 64 bytes/],
      [[SECRET, 'whsec_'], /24 to 64 bytes/],
    ]
    for (const [secret, message] of cases) {
      await rejects(verifyWebhook(body, headers, secret), 'INVALID_SECRET', message)
    }
  })

  it('rejects a body that was parsed already, is not JSON or is not an event', async () => {
    const parsed = verifyWebhook(EVENT as unknown as string, sign().headers, SECRET)
    await rejects(parsed, 'INVALID_BODY', /express\.raw/)
    const { data: _, ...rest } = EVENT
    const less = [rest, { ...EVENT, data: null }, { ...EVENT, type: 1 }].map((each) =>
      JSON.stringify(each),
    )
    for (const body of ['', 'hello', 'null', '[]', '{}', '"text"', ...less]) {
      const verifying = verifyWebhook(body, sign(body).headers, SECRET)
      await rejects(verifying, 'INVALID_BODY', /not the JSON of an event/)
    }
  })

  it('has types that narrow, and returns types that it does not know', async () => {
    const read = (event: object) => {
      const body = JSON.stringify(event)
      return verifyWebhook(body, sign(body).headers, SECRET)
    }
    const { sequence: _, ...ping } = { ...EVENT, type: 'ping', data: {} }
    const events = [EVENT, ping, { ...EVENT, type: 'moon.full', data: { phase: 4 } }]
    const found = await Promise.all(events.map(read))
    assert.deepEqual(found.map(describeEvent), ['su_ä€😀 user', 'ping', 'moon.full 4 17'])
  })
})

/** The compiler checks that each comparison selects the data of that type. */
function describeEvent(event: WebhookEvent): string {
  // @ts-expect-error Only events of the feed have a cursor.
  if (event.cursor !== undefined) return ''
  // @ts-expect-error A ping has no sequence.
  if (event.type === 'ping') return event.type + (event.sequence ?? '')
  if (event.type === 'topup.credited') return event.data.amount.toFixed(2)
  if (event.type === 'link.ended') {
    return `${event.data.serviceUserId} ${event.data.reason satisfies 'user' | 'erasure'}`
  }
  return `${event.type} ${'phase' in event.data ? String(event.data.phase) : ''} ${event.sequence}`
}

/** An event of the feed can be handled by the function that handles webhooks. */
export const handleEvent: (event: CofferEvent) => string = describeEvent
