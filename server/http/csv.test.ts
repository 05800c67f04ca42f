import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toLine } from './csv.ts'

describe('a line of CSV', () => {
  it('escapes text that a spreadsheet would run as a formula', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM', '\t=1+1']) {
      assert.equal(toLine([text]), `'${text}\r\n`)
    }
    assert.equal(toLine(['\r=1+1']), `"'\r=1+1"\r\n`)
  })

  it('leaves other text unchanged and quotes only where necessary', () => {
    assert.equal(toLine(['a=1', '1-2', '', ' =1', 'ä']), 'a=1,1-2,, =1,ä\r\n')
    assert.equal(toLine(['a,b', 'a"b', 'a\nb', 'a\rb']), '"a,b","a""b","a\nb","a\rb"\r\n')
  })
})
