import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { diffJson } from './diff-json.ts'

describe('diffJson', () => {
  it('lists the fields that differ and counts the others', () => {
    const before = JSON.stringify({ name: 'Old', limit: { amount: 1 }, isActive: true })
    const after = JSON.stringify({ name: 'New', limit: { amount: 2 }, isActive: true })
    assert.deepEqual(diffJson(before, after), {
      changes: [
        { path: 'name', removed: ['Old'], added: ['New'] },
        { path: 'limit.amount', removed: ['1'], added: ['2'] },
      ],
      same: 1,
    })
  })

  it('lists the values added to and removed from a list', () => {
    const { changes } = diffJson('{"origins":["a","b"]}', '{"origins":["b","c"]}')
    assert.deepEqual(changes, [{ path: 'origins', removed: ['a'], added: ['c'] }])
  })

  it('accepts a missing side and text that is not JSON', () => {
    assert.deepEqual(diffJson(null, '{"role":"viewer"}').changes, [
      { path: 'role', removed: [], added: ['viewer'] },
    ])
    assert.deepEqual(diffJson('plain', null).changes, [{ path: '', removed: ['plain'], added: [] }])
    assert.deepEqual(diffJson(null, null), { changes: [], same: 0 })
  })
})
