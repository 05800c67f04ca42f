import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createProcessor, readEvent, type Processor } from '../../../server/processor/stripe.ts'
import type { FuzzTarget } from './fuzz-target.ts'

const SECRET = 'whsec_fuzz'
const NOW_MS = Date.now()
const processor = (await createProcessor({
  secretKey: 'sk_test_fuzz',
  publishableKey: 'pk_test_fuzz',
  webhookSecret: SECRET,
  apiUrl: undefined,
  scriptUrl: '',
  isTest: true,
})) as Processor

/** The signature is the text before the first line end; "signed" is replaced by the correct one. */
export const WEBHOOKS: FuzzTarget = {
  name: 'webhooks',
  seeds: [
    'signed\n{"id":"evt_1","object":"event","type":"charge.updated","data":{"object":{"id":"ch_1"}}}',
    'signed\n{"id":"evt_1","data":{"object":{}}}',
    'signed\n{"id":"evt_1","data":{"object":null}}',
    'signed\nnull',
    't=1,v1=00\n{}',
    '\n',
  ],
  dictionary: [
    'signed\n',
    't=',
    'v1=',
    ',',
    '{',
    '}',
    '"object":',
    '"data":',
    'null',
    '[]',
    '"id":',
    '1',
  ],
  run(input) {
    const at = input.indexOf('\n')
    const signature = input.subarray(0, Math.max(0, at)).toString('latin1')
    const body = input.subarray(at + 1)
    const isSigned = signature === 'signed'
    const event = readEvent(processor, body, isSigned ? sign(body) : signature, NOW_MS)
    if (event === undefined) return
    assert(isSigned, 'an event without the correct signature was accepted')
    assert.match(event.id, /^\w{1,255}$/)
    assert(typeof event.data.object === 'object' && (event.data.object as unknown) !== null)
  },
}

function sign(body: Buffer): string {
  const time = Math.floor(NOW_MS / 1000)
  const mac = createHmac('sha256', SECRET).update(`${time}.`).update(body)
  return `t=${time},v1=${mac.digest('hex')}`
}
