/** The frame of a page with a navigation: a bar or a column with the navigation, and the content. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import './shell.css'

interface ShellFrameProps {
  /** The label of the button that skips the navigation; a page that is loading has none. */
  skip?: string
  side: ComponentChildren
  children: ComponentChildren
}

export function ShellFrame({ skip, side, children }: ShellFrameProps) {
  const main = useRef<HTMLElement>(null)
  return (
    <div class="shell">
      {skip && (
        <button class="skip" type="button" onClick={() => main.current?.focus()}>
          {skip}
        </button>
      )}
      <header class="side">{side}</header>
      <main class="content" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

interface SectionPlaceholderProps {
  loading: string
  title: ComponentChildren
  children: ComponentChildren
}

/** Has the same boxes as a section, so that nothing moves when the section appears. */
export function SectionPlaceholder({ loading, title, children }: SectionPlaceholderProps) {
  return (
    <>
      <h1 class="visually-hidden">{loading}</h1>
      <div class="section" aria-hidden="true">
        <p class="section-title">{title}</p>
        {children}
      </div>
    </>
  )
}
