import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import type { Config } from '../config.ts'
import { identifyCaller, issueDevice, rememberDevice } from './recognize-device.ts'

const EMAIL = 'ada@example.com'
const network = '192.0.2.1'
const pepperOf = (id: string) => ({ id, key: randomBytes(32) })

describe('a browser that has logged in before', () => {
  const [older, newer, other] = [pepperOf('p1'), pepperOf('p2'), pepperOf('p3')]
  const issued = issueDevice([older], 'person', EMAIL)
  const isKnown = (peppers: Config['peppers'], email = EMAIL) => {
    const cookie = (name: string) => (name === '__Host-coffer-device' ? issued : undefined)
    return identifyCaller({ peppers }, 'person', email, { network, cookie }).known !== undefined
  }

  it('is known as long as its pepper is configured, also if there is a newer one', () => {
    assert.equal(isKnown([older]), true)
    assert.equal(isKnown([newer, older]), true)
    assert.equal(isKnown([newer, other]), false)
  })

  it('is known for its account only, in every spelling', () => {
    assert.equal(isKnown([older], 'ADA@Example.com'), true)
    assert.equal(isKnown([older], 'bob@example.com'), false)
  })

  it('keeps its cookie for 180 days', () => {
    const kept: [string, number][] = []
    const setCookie = (name: string, _value: string, seconds: number) => kept.push([name, seconds])
    for (const kind of ['person', 'operator'] as const) {
      const call = { cookie: () => undefined, setCookie }
      assert.equal(rememberDevice({ peppers: [older] }, kind, EMAIL, call), false)
    }
    assert.deepEqual(kept, [
      ['__Host-coffer-device', 15_552_000],
      ['__Host-coffer-admin-device', 15_552_000],
    ])
  })
})
