import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Refusal } from './request.ts'
import { explainRefusal } from './explain-refusal.ts'
import { de } from '../widget/messages-de.ts'
import { en } from '../widget/messages-en.ts'
import { signInEn } from '../widget/sign-in/messages-en.ts'

Object.assign(en, signInEn)

function refusal(status: number, part: Partial<Refusal> = {}): Refusal {
  const nothing = { code: undefined, text: undefined, field: undefined }
  return { ok: false, offline: false, status, retryAfterSeconds: undefined, ...nothing, ...part }
}

describe('a refusal', () => {
  it('is explained at its field, or at the form if the form has no such field', () => {
    const taken = refusal(409, { code: 'EMAIL_TAKEN' })
    assert.deepEqual(Object.keys(explainRefusal(taken, en, ['email']).errors), ['email'])
    assert.deepEqual(Object.keys(explainRefusal(taken, en).errors), ['form'])
    const invalid = refusal(400, { code: 'INVALID_REQUEST', field: 'lastName' })
    assert.deepEqual(explainRefusal(invalid, en, ['lastName']).errors, {
      lastName: en.refused.lastName,
    })
  })

  it('of a new password is explained at the new password, not at the current one', () => {
    const weak = refusal(400, { code: 'PASSWORD_REFUSED' })
    for (const [fields, place] of [
      [['password', 'newPassword'], 'newPassword'],
      [['email', 'password'], 'password'],
    ] as const) {
      assert.deepEqual(Object.keys(explainRefusal(weak, en, fields).errors), [place])
    }
  })

  it('shows how long to wait, and disappears afterwards', () => {
    const limited = refusal(429, { code: 'RATE_LIMITED', retryAfterSeconds: 30 })
    assert.deepEqual(explainRefusal(limited, en), {
      errors: { form: 'Too many attempts. Try again in 30 seconds.' },
      clearAfterSeconds: 30,
    })
    assert.match(en.rateLimited(3600), /60 minutes/)
    assert.match(en.rateLimited(1), /1 second\./)
  })

  it('falls back to the message of the server, except for an unhandled error', () => {
    const unknown = explainRefusal(refusal(400, { text: 'From the server.' }), en)
    assert.equal(unknown.errors['form'], 'From the server.')
    assert.equal(explainRefusal(refusal(500, { text: 'x' }), en).errors['form'], en.unexpected)
    assert.equal(explainRefusal({ ok: false, offline: true }, en).errors['form'], en.offline)
  })

  it('has a text in every language for every code', () => {
    assert.deepEqual(Object.keys(de.errors).toSorted(), Object.keys(en.errors).toSorted())
  })
})
