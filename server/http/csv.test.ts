import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { toLine } from './csv.ts'

/** How a spreadsheet splits a line at this separator: quotes count only at the start of a cell. */
function split(line: string, separator: string): string[] {
  const cells: string[] = []
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"?)?([^${separator}\r\n]*)(?:[${separator}\r\n]|$)`,
    'y',
  )
  while (cell.lastIndex < line.length) {
    const [, quoted = '', rest = ''] = cell.exec(line) ?? assert.fail(line)
    cells.push(quoted.replaceAll('""', '"') + rest)
  }
  return cells
}

describe('a line of CSV', () => {
  it('escapes text that a spreadsheet would run as a formula', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM', ' =1', '＝1+1', '＋1', '－1', '＠SUM']) {
      assert.equal(toLine([text]), `'${text}\r\n`)
    }
    assert.equal(toLine(['\r=1+1']), `"'\r'=1+1"\r\n`)
    assert.equal(toLine(['\t=1+1']), `"'\t'=1+1"\r\n`)
    assert.equal(toLine(['\t1']), `"'\t1"\r\n`)
  })

  it('contains no formula for a spreadsheet that splits at another separator', () => {
    const formula = `=cmd|'/C calc'!A0`
    for (const given of [';', '\t', '|', '\n', '\r\n', ',', '; ', ';"', ';\t', '|;', ';;']) {
      const line = toLine(['1', `Tea${given}${formula};`, 'x'])
      for (const separator of [',', ';', '\t', '|']) {
        const formulas = split(line, separator).filter((each) => /^\s*[=+\-@＝＋－＠]/.test(each))
        assert.deepEqual(formulas, [], JSON.stringify({ line, separator }))
      }
    }
  })

  it('leaves other text unchanged and quotes only where necessary', () => {
    assert.equal(toLine(['a=1', '1-2', '', ' 1', 'ä', 'a -1']), 'a=1,1-2,, 1,ä,a -1\r\n')
    assert.equal(toLine(['a,b', 'a"b', 'a\nb', 'a\rb']), '"a,b","a""b","a\nb","a\rb"\r\n')
    assert.equal(toLine(['a;b', 'a\tb', 'a|b']), '"a;b","a\tb","a|b"\r\n')
  })

  it('takes no longer for a cell that is full of separators', () => {
    const startMs = performance.now()
    for (const text of [';', '\t', ' ', '"', '; ', ';"']) toLine([text.repeat(50_000)])
    assert(performance.now() - startMs < 2_000)
  })
})
