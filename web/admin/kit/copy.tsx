/** Texts with a button to copy them: values, snippets and secrets. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { CheckIcon } from '../../ui/icons.tsx'
import { CopyIcon } from './icons.tsx'
import { words } from '../messages.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './copy.module.css'

/** Screen readers read `what`, because a page can have several such buttons. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  async function copy() {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    setState(isCopied ? 'copied' : 'failed')
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setState('idle'), 2500)
  }
  return (
    <button class={styles.copy} type="button" onClick={() => void copy()}>
      {state === 'copied' ? <CheckIcon /> : <CopyIcon />}
      <span aria-hidden="true">{words.copy[state]}</span>
      <span class={base.visuallyHidden}>{words.copy.named(what)}</span>
      <span class={base.visuallyHidden} role="status">
        {state === 'idle' ? '' : words.copy[state]}
      </span>
    </button>
  )
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
