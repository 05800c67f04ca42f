import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspect } from 'node:util'
import { createCoffer, type CofferOptions } from './coffer.ts'

const GOOD = {
  serviceUrl: 'https://wallet.example',
  clientId: 'app_0123456789abcdef01234567',
  clientSecret: 'coffer_sk_canary',
}

function faultOf(options: Partial<Record<keyof CofferOptions, unknown>>): string {
  try {
    createCoffer({ ...GOOD, ...options } as CofferOptions)
  } catch (error) {
    assert(error instanceof TypeError)
    assert(!inspect(error, { showHidden: true }).includes('canary'), error.message)
    return error.message
  }
  return 'none'
}

describe('createCoffer', () => {
  it('accepts an https origin, and http on this machine only', () => {
    for (const serviceUrl of [
      'https://wallet.example',
      'https://wallet.example/',
      'https://wallet.example:8443',
      'http://localhost:8080',
      'http://127.0.0.1:8080',
      'http://[::1]:8080',
    ]) {
      assert.equal(faultOf({ serviceUrl }), 'none', serviceUrl)
    }
  })

  it('rejects any other serviceUrl and explains what to do', () => {
    const faults: [unknown, RegExp][] = [
      [undefined, /^serviceUrl is missing\. Set it/],
      ['', /^serviceUrl is missing\. Set it/],
      ['canary', /^serviceUrl must be an address such as/],
      ['http://canary.example', /must begin with https:\/\//],
      ['http://localhost.canary.example', /must begin with https:\/\//],
      ['ftp://localhost/canary', /must begin with https:\/\//],
      ['https://wallet.example/canary', /Remove path, query and credentials/],
      ['https://wallet.example?canary', /Remove path, query and credentials/],
      ['https://wallet.example#canary', /Remove path, query and credentials/],
      ['https://user:canary@wallet.example', /Remove path, query and credentials/],
    ]
    for (const [serviceUrl, message] of faults) assert.match(faultOf({ serviceUrl }), message)
  })

  it('rejects missing or malformed credentials without repeating them', () => {
    for (const name of ['clientId', 'clientSecret'] as const) {
      assert.match(faultOf({ [name]: undefined }), new RegExp(`^${name} is missing\\. Set it`))
      assert.match(faultOf({ [name]: '' }), new RegExp(`^${name} is missing\\. Set it`))
      for (const bad of ['canary\n', 'can ary', 'canary\u00e9', 7]) {
        assert.match(faultOf({ [name]: bad }), new RegExp(`^${name} contains a space`))
      }
    }
  })

  it('rejects invalid times and counts', () => {
    for (const name of ['timeoutMs', 'deadlineMs', 'retries'] as const) {
      for (const bad of [-1, 1.5, NaN, Infinity, '5']) {
        assert.match(faultOf({ [name]: bad }), new RegExp(`^${name} must be a whole number from`))
      }
    }
    assert.equal(faultOf({ retries: 0 }), 'none')
    assert.equal(faultOf({ retries: 100, timeoutMs: 600_000, deadlineMs: 600_000 }), 'none')
    assert.match(faultOf({ retries: 101 }), /^retries must be a whole number from 0 to 100\.$/)
    assert.match(faultOf({ deadlineMs: 600_001 }), /from 1 to 600000\.$/)
    assert.match(faultOf({ timeoutMs: 0 }), /^timeoutMs must be a whole number from 1 to/)
  })

  it('refuses to run in a browser page or worker, but runs everywhere else', () => {
    const browsers = [{ window: {}, document: {} }, { importScripts: () => undefined }]
    for (const globals of browsers) {
      Object.assign(globalThis, globals)
      try {
        assert.match(faultOf({}), /runs on a backend only.*rotate the secret/)
      } finally {
        for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name)
      }
    }
    // Older versions of Deno have a window but no document.
    Object.assign(globalThis, { window: globalThis })
    try {
      assert.equal(faultOf({}), 'none')
    } finally {
      Reflect.deleteProperty(globalThis, 'window')
    }
  })

  it('shows no secret when it is logged', () => {
    const coffer = createCoffer(GOOD)
    const shown = inspect(coffer, { showHidden: true, depth: Infinity }) + JSON.stringify(coffer)
    for (const hidden of ['canary', 'Basic', btoa('app_').slice(0, 4)]) {
      assert(!shown.includes(hidden), shown)
    }
  })
})
