import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readLanguage } from './read-language.ts'

describe('the language of a browser', () => {
  const CASES: readonly [header: string | undefined, language: string | null][] = [
    [undefined, null],
    ['', null],
    ['de', 'de'],
    ['DE-at', 'de'],
    ['es-419,es;q=0.9,en;q=0.8', 'es'],
    ['fr-FR,fr;q=0.9,de;q=0.7,en;q=0.8', 'en'],
    ['en;q=0.5, de', 'de'],
    ['de;q=0,en;q=0.1', 'en'],
    ['de ; q = 0.2 , es ; q=0.3', 'es'],
    ['en,de', 'en'],
    ['*', null],
    ['fr', null],
    ['deutsch', null],
    ['de;q=x', 'de'],
    ['toString,__proto__', null],
    [',,;;q=1,;', null],
    ['x,'.repeat(4_000), null],
  ]
  for (const [header, language] of CASES) {
    it(`is ${language} for ${header?.slice(0, 40)}`, () => {
      assert.equal(readLanguage(header), language)
    })
  }

  it('is never one that the browser excludes', () => {
    assert.equal(readLanguage('fr, de;q=0'), null)
  })
})
