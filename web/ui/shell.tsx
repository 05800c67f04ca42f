/** The frame of a page with a navigation: a bar or a column with the navigation, and the content. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import * as styles from './shell.module.css'

interface ShellFrameProps {
  /** Places the bar, which is a header, and the content, which is the main element. */
  class: string
  /** The label of the button that skips the navigation; a page that is loading has none. */
  skip?: string
  side: ComponentChildren
  children: ComponentChildren
}

export function ShellFrame({ class: className, skip, side, children }: ShellFrameProps) {
  const main = useRef<HTMLElement>(null)
  return (
    <div class={className}>
      {skip && (
        <button class={styles.skip} type="button" onClick={() => main.current?.focus()}>
          {skip}
        </button>
      )}
      <header class={styles.side}>{side}</header>
      <main class={styles.content} ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
