import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ClientApp } from '../calls.ts'
import { checkDraft, newDraft, toDraft, toSettings } from './draft.ts'

const APP = {
  name: 'Shop',
  accentColor: null,
  scopes: ['wallet:read'],
  allowedOrigins: [],
  allowedIframeParents: ['https://shop.example'],
  onMismatch: 'replay',
  getsBalanceEvents: false,
  contactEmails: ['dev@shop.example', 'ops@shop.example'],
  creditLimit: null,
} as Partial<ClientApp> as ClientApp

describe('the form of a client app', () => {
  const LIMITS = [
    { creditLimit: null, isUnlimited: true, text: '' },
    { creditLimit: 0, isUnlimited: false, text: '0' },
    { creditLimit: 0.01, isUnlimited: false, text: '0.01' },
    { creditLimit: 1000, isUnlimited: false, text: '1000' },
  ]
  for (const { creditLimit, isUnlimited, text } of LIMITS) {
    it(`shows the credit limit ${creditLimit ?? 'none'} as it is`, () => {
      const draft = toDraft({ ...APP, creditLimit })
      assert.deepEqual([draft.isUnlimited, draft.creditLimit], [isUnlimited, text])
      assert.equal(checkDraft(draft).creditLimit, '')
    })
  }

  it('requires a limit for a new app, unless none is chosen', () => {
    const draft = { ...newDraft(), name: 'Shop' }
    assert.notEqual(checkDraft(draft).creditLimit, '')
    assert.equal(checkDraft({ ...draft, creditLimit: '0' }).creditLimit, '')
    assert.equal(checkDraft({ ...draft, isUnlimited: true }).creditLimit, '')
    for (const creditLimit of ['-1', '1e3', '1,5', '1.2345', '1234567890']) {
      assert.notEqual(checkDraft({ ...draft, creditLimit }).creditLimit, '', creditLimit)
    }
  })

  it('sends whether repeats that differ are refused; by default they are', () => {
    assert.equal(toSettings(newDraft()).onMismatch, 'conflict')
    for (const onMismatch of ['replay', 'conflict'] as const) {
      assert.equal(toSettings(toDraft({ ...APP, onMismatch })).onMismatch, onMismatch)
    }
  })

  it('sends whether the app gets balance.changed; by default it does not', () => {
    assert.equal(toSettings(newDraft()).getsBalanceEvents, false)
    for (const getsBalanceEvents of [false, true]) {
      const sent = toSettings(toDraft({ ...APP, getsBalanceEvents }))
      assert.equal(sent.getsBalanceEvents, getsBalanceEvents)
    }
  })

  it('accepts contacts separated by commas or spaces, and no other text', () => {
    const draft = toDraft(APP)
    assert.equal(draft.contactEmails, 'dev@shop.example, ops@shop.example')
    const contactEmails = ' a@shop.example;b@shop.example  c@shop.example '
    assert.deepEqual(toSettings({ ...draft, contactEmails }).contactEmails, [
      'a@shop.example',
      'b@shop.example',
      'c@shop.example',
    ])
    assert.equal(checkDraft({ ...draft, contactEmails }).contactEmails, '')
    assert.equal(checkDraft({ ...draft, contactEmails: '' }).contactEmails, '')
    const many = Array.from({ length: 11 }, (_, each) => `a${each}@shop.example`).join(' ')
    for (const wrong of ['nobody', 'a@shop.example, b', many]) {
      assert.notEqual(checkDraft({ ...draft, contactEmails: wrong }).contactEmails, '', wrong)
    }
  })

  it('sends what it was filled with, and an origin that was typed but not added', () => {
    const draft = toDraft(APP)
    const { creditLimit: _, ...settings } = APP
    assert.deepEqual(toSettings(draft), settings)
    const typed = { listed: draft.allowedIframeParents.listed, typed: ' https://two.example ' }
    const changed = toSettings({ ...draft, accentColor: '#AABBCC', allowedIframeParents: typed })
    assert.deepEqual(changed.allowedIframeParents, ['https://shop.example', 'https://two.example'])
    assert.equal(changed.accentColor, '#aabbcc')
  })
})
