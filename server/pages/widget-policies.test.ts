import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { apiSource } from './widget-policies.ts'

const widgetApi = (origin: string | undefined, host: string) =>
  apiSource('/api/widget/', origin, host)

describe('the source of a part of the API in a policy', () => {
  it('is one path of PUBLIC_URL and of the host of the request, which a proxy may change', () => {
    assert.equal(
      widgetApi('https://wallet.example:8443', 'wallet.example'),
      'https://wallet.example:8443/api/widget/ wallet.example/api/widget/',
    )
    assert.equal(widgetApi(undefined, 'localhost:8080'), 'localhost:8080/api/widget/')
  })

  it('is another path for the top-up at /account', () => {
    assert.equal(
      apiSource('/api/account/topup/', 'https://account.example', 'account.example'),
      'https://account.example/api/account/topup/ account.example/api/account/topup/',
    )
  })

  it('contains no other text of the Host header', () => {
    for (const host of [
      '',
      '*',
      '*.example',
      "a; script-src 'unsafe-inline'",
      'a b',
      'a/',
      'a\r\nb',
      'a:x',
      'é',
    ]) {
      assert.equal(widgetApi('https://wallet.example', host), 'https://wallet.example/api/widget/')
      assert.equal(widgetApi(undefined, host), `'self'`)
    }
  })

  it('is every path of the same origin for an IPv6 address, which policies do not support', () => {
    assert.equal(widgetApi(undefined, '[::1]:8080'), `'self'`)
    assert.equal(widgetApi('http://[::1]:8080', '[::1]:8080'), `'self'`)
  })
})
