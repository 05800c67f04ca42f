import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { repeatDark } from './repeat-dark-colors.ts'

describe('the dark colors', () => {
  const css = repeatDark(readFileSync(join(import.meta.dirname, 'ui/tokens.css'), 'utf8'))

  it('are the same with the theme dark as in a dark system', () => {
    const rules = /\{ \[data-theme='auto'\] \{([^}]*)\} \} \[data-theme='dark'\] \{([^}]*)\}/.exec(
      css,
    )
    assert.match(rules?.[1] ?? '', /--bg: #101217;/)
    assert.equal(rules?.[2], rules?.[1])
  })

  it('are missing only by mistake', () => {
    assert.throws(() => repeatDark(':root { --bg: #fff }'))
  })
})
