/** A list of origins. They are added with Enter or by pasting several, and checked while typing. */
import { useId, useRef, useState } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import type { ListName, OriginDraft } from './draft.ts'
import { checkTypedOrigin } from './check-typed-origin.ts'
import { CrossIcon } from '../kit/icons.tsx'
import { Notice } from '../../ui/notice.tsx'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as field from '../../ui/field.module.css'
import * as styles from './origin-list.module.css'

interface OriginListProps {
  name: ListName
  value: OriginDraft
  error: string | undefined
  isReadOnly: boolean
  onChange: (next: OriginDraft) => void
}

const MESSAGES: Record<ListName, { title: string; hint: string; none: string }> = {
  allowedOrigins: {
    title: 'Allowed origins',
    hint: 'Pages of the app that may open the top-up window.',
    none: 'None listed. Iframe parents can always open the top-up window.',
  },
  allowedIframeParents: {
    title: 'Allowed iframe parents',
    hint: 'Pages that may embed the widget and receive its messages.',
    none: 'None listed, so no page can embed the widget.',
  },
}

export function OriginList({ name, value, error, isReadOnly, onChange }: OriginListProps) {
  const { title, hint, none } = MESSAGES[name]
  const { listed, typed } = value
  const id = useId()
  const input = useRef<HTMLInputElement>(null)

  /** Texts that cannot be added stay in the field. */
  function add(text: string) {
    const next = [...listed]
    const left: string[] = []
    for (const part of text.split(/[\s,;]+/).filter(Boolean)) {
      const problem = checkTypedOrigin(part, next)
      if (problem) left.push(part)
      else next.push(part)
    }
    onChange({ listed: next, typed: left.join(' ') })
  }

  function remove(origin: string) {
    onChange({ listed: listed.filter((each) => each !== origin), typed })
    // The button is removed, so the field gets the focus.
    input.current?.focus()
  }

  return (
    <div class={`${field.field} ${styles.list}`} role="group" aria-labelledby={`${id}-title`}>
      <p class={styles.title} id={`${id}-title`}>
        {title}
      </p>
      <p class={field.hint}>{hint}</p>
      {listed.length === 0 && <p class={`${styles.none} ${base.muted}`}>{none}</p>}
      {listed.length > 0 && (
        <ul class={styles.origins}>
          {listed.map((origin) => (
            <li key={origin}>
              <code>{origin}</code>
              {!isReadOnly && (
                <button
                  class={styles.remove}
                  type="button"
                  aria-label={`Remove ${origin}`}
                  onClick={() => remove(origin)}
                >
                  <CrossIcon />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isReadOnly && (
        <OriginInput
          {...{ id, name, title, input, listed, typed, error, add }}
          setTyped={(next) => onChange({ listed, typed: next })}
        />
      )}
    </div>
  )
}

interface OriginInputProps {
  id: string
  name: string
  title: string
  input: { current: HTMLInputElement | null }
  listed: readonly string[]
  typed: string
  error: string | undefined
  setTyped: (typed: string) => void
  add: (text: string) => void
}

function OriginInput(props: OriginInputProps) {
  const { id, name, title, input, listed, typed, setTyped, add } = props
  const [isTried, setIsTried] = useState(false)
  const text = typed.trim()
  const problem = text ? checkTypedOrigin(text, listed) : undefined
  const reason = problem?.text ?? props.error
  const isWrong = Boolean(reason) && (isTried || Boolean(props.error))
  function tryToAdd() {
    setIsTried(true)
    if (text) add(text)
  }
  return (
    <>
      <div class={styles.add}>
        <div class={field.box}>
          <input
            id={id}
            ref={input}
            name={name}
            type="text"
            inputMode="url"
            value={typed}
            placeholder="https://shop.example"
            aria-label={`Add to ${title.toLowerCase()}`}
            aria-invalid={isWrong}
            aria-describedby={reason ? `${id}-reason` : undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellcheck={false}
            onInput={(event) => {
              setIsTried(false)
              setTyped(event.currentTarget.value)
            }}
            onBlur={() => setIsTried(true)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !text) return
              event.preventDefault()
              tryToAdd()
            }}
            onPaste={(event) => {
              const pasted = event.clipboardData?.getData('text') ?? ''
              if (!/\s/.test(pasted.trim())) return
              event.preventDefault()
              add(pasted)
            }}
          />
        </div>
        <button class={`${button.button} ${button.secondary}`} type="button" onClick={tryToAdd}>
          Add
        </button>
      </div>
      {reason && (
        <p class={isWrong ? field.error : field.hint} id={`${id}-reason`} aria-live="polite">
          <AlertIcon />
          <span>
            {reason}{' '}
            {problem?.better !== undefined && (
              <TextButton onClick={() => add(problem.better ?? '')}>
                Add {problem.better}
              </TextButton>
            )}
          </span>
        </p>
      )}
    </>
  )
}

interface OriginTakenProps {
  isBusy: boolean
  onShare: () => void
}

/** Two apps can share an iframe parent if the operator confirms it. */
export function OriginTaken({ isBusy, onShare }: OriginTakenProps) {
  return (
    <Notice kind="warning">
      <p>
        Another active client app already lists one of these iframe parents. Remove it there, or
        share it; frames must then pass the clientId in their URL.
      </p>
      <TextButton isBusy={isBusy} onClick={onShare}>
        Share it between both apps
      </TextButton>
    </Notice>
  )
}
