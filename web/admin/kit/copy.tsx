/** Texts with a button to copy them: values, snippets and secrets. */
import { CopyButton as AnyCopyButton } from '../../ui/copy-button.tsx'
import { words } from '../messages.ts'
import * as styles from './copy.module.css'

export function CopyButton({ text, what }: { text: string; what: string }) {
  return <AnyCopyButton text={text} what={what} texts={words.copy} />
}

interface CopyRowProps {
  label: string
  text: string
  /** The same text in a form that is easier to read. */
  shown?: string
}

/** One line with its name and a button to copy it. */
export function CopyRow({ label, text, shown = text }: CopyRowProps) {
  return (
    <div class={styles.row}>
      <span class={styles.label}>{label}</span>
      <code>{shown}</code>
      <CopyButton text={text} what={label} />
    </div>
  )
}

export function Snippet({ title, text }: { title: string; text: string }) {
  return (
    <figure class={styles.snippet}>
      <figcaption>
        <span>{title}</span>
        <CopyButton text={text} what={title} />
      </figcaption>
      {/* It may be wider than the page, and only what has the focus can be scrolled by keyboard. */}
      <pre tabIndex={0} role="region" aria-label={title}>
        <code>{text}</code>
      </pre>
    </figure>
  )
}
