import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from './config.ts'

const pepper = (id: string, bytes = 32) => `${id}:${Buffer.alloc(bytes, 1).toString('base64')}`
const sound = { DATABASE_URL: 'postgres://a@b/c', SECRET_PEPPERS: pepper('p1') }

describe('readConfig', () => {
  it('reports every fault at once and has no default secrets', () => {
    assert.throws(
      () => readConfig({ CURRENCY: 'EURO', PORT: 'x', PROCESSES: '0', DATABASE_URL: 'mysql://x' }),
      (error: Error) =>
        ['DATABASE_URL', 'SECRET_PEPPERS', 'CURRENCY', 'PORT', 'PROCESSES'].every((name) =>
          error.message.includes(name),
        ),
    )
  })

  it('treats an empty variable as absent', () => {
    assert.equal(readConfig({ ...sound, CURRENCY: '', PORT: '' }).currency.code, 'USD')
  })

  it('refuses short peppers and equal ids', () => {
    const twice = `${pepper('p1')},${pepper('p1')}`
    for (const SECRET_PEPPERS of [pepper('p1', 31), twice, 'p1', ':', 'p 1:AAAA']) {
      assert.throws(() => readConfig({ ...sound, SECRET_PEPPERS }), /SECRET_PEPPERS must be/)
    }
    const { peppers } = readConfig({ ...sound, SECRET_PEPPERS: `${pepper('p2')},${pepper('p1')}` })
    assert.deepEqual(
      peppers.map(({ id }) => id),
      ['p2', 'p1'],
    )
  })

  it('knows whether people reach us by HTTPS', () => {
    assert.equal(readConfig(sound).isHttps, false)
    assert.equal(readConfig({ ...sound, PUBLIC_URL: 'https://wallet.example' }).isHttps, true)
  })
})
