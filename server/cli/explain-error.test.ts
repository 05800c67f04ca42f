import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { explainError } from './explain-error.ts'

describe('an error of PostgreSQL', () => {
  function adviceFor(code: string): string | undefined {
    const error = new pg.DatabaseError('refused', 0, 'error')
    error.code = code
    const [first, advice] = explainError(error).split('\n')
    assert.equal(first, 'PostgreSQL: refused.')
    return advice
  }

  it('has advice by its code, by the beginning of its code, or none', () => {
    assert.match(adviceFor('28P01') ?? '', /^Check the password/)
    assert.match(adviceFor('57014') ?? '', /^PostgreSQL took too long/)
    assert.match(adviceFor('57P03') ?? '', /^PostgreSQL is starting or stopping/)
    assert.match(adviceFor('08006') ?? '', /^Check DATABASE_URL/)
    assert.match(adviceFor('53300') ?? '', /^PostgreSQL lacks connections/)
    assert.equal(adviceFor('22012'), undefined)
  })
})
