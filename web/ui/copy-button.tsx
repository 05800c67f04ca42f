import { useEffect, useRef, useState } from 'preact/hooks'
import { CheckIcon, CopyIcon } from './icons.tsx'
import * as base from './base.module.css'
import * as styles from './copy-button.module.css'

interface CopyButtonProps {
  text: string
  what: string
  messages: Record<'idle' | 'copied' | 'failed', string> & { named: (what: string) => string }
}

/** Screen readers read `what`, because a page can have several such buttons. */
export function CopyButton({ text, what, messages }: CopyButtonProps) {
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
      <span aria-hidden="true">{messages[state]}</span>
      <span class={base.visuallyHidden}>{messages.named(what)}</span>
      <span class={base.visuallyHidden} role="status">
        {state === 'idle' ? '' : messages[state]}
      </span>
    </button>
  )
}
