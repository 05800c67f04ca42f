import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listMonths, nameMonth, readMonth } from './choose-month.ts'

const NOW = new Date(2026, 0, 31, 23, 59)

describe('the months of the statement', () => {
  it('are the last 24, newest first', () => {
    const months = listMonths(NOW, '2026-01')
    assert.equal(months.length, 24)
    assert.deepEqual(months.slice(0, 2), ['2026-01', '2025-12'])
    assert.equal(months.at(-1), '2024-02')
  })

  it('contain the one of the URL', () => {
    assert.equal(listMonths(NOW, '2019-03').at(-1), '2019-03')
  })

  it('are read from the URL, and otherwise the current one', () => {
    assert.equal(readMonth('2025-11', NOW), '2025-11')
    for (const text of [undefined, '', '2025', '2025-13', '1999-12', '2025-11-01', 'x']) {
      assert.equal(readMonth(text, NOW), '2026-01')
    }
  })

  it('have a name in the language', () => {
    assert.equal(nameMonth('2026-03', 'en'), 'March 2026')
    assert.equal(nameMonth('2026-03', 'de'), 'März 2026')
  })
})
