import { useEffect, useRef } from 'preact/hooks'
import { navigate } from '../route.tsx'
import { choosePage } from './choose-page.ts'
import * as styles from './search-everything.module.css'

/** One field for every name and ID that a person or an app tells an operator. The key / moves the focus to it. */
export function SearchEverything({ class: className }: { class: string | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, select, dialog')
      // The other of the two fields is for another width of the window.
      if (isTyping || !input.current?.checkVisibility()) return
      event.preventDefault()
      input.current.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <search class={className}>
      <form
        class={styles.search}
        onSubmit={(event) => {
          event.preventDefault()
          const text = input.current?.value.trim()
          if (!input.current || !text) return
          input.current.value = ''
          navigate(choosePage(text))
        }}
      >
        <input
          ref={input}
          type="search"
          maxLength={254}
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          aria-label="Search everything"
          aria-keyshortcuts="/"
          placeholder="Search"
          title="Email, name, reference, app, txn_… or pi_…. Press / to search."
        />
      </form>
    </search>
  )
}
