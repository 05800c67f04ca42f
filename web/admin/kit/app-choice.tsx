/** Chooses one of possibly many client apps by typing a part of its name. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { FieldNote } from '../../ui/field.tsx'
import type { ListedApp } from '../calls.ts'
import { usePage } from '../page-context.ts'
import * as field from '../../ui/field.module.css'
import * as filters from './filters.module.css'

const DEBOUNCE_MS = 200
const CLIENT_ID = /app_[0-9a-f]{24}/
const BUBBLING = { bubbles: true }

interface AppChoiceProps {
  label: string
  /** A clientId, or the value of `other`. */
  value: string
  /** An additional choice. */
  other?: { value: string; text: string }
  hint?: string
  placeholder?: string
  error?: string | undefined
  onChange: (value: string) => void
}

function toText({ name, clientId }: Pick<ListedApp, 'name' | 'clientId'>): string {
  return `${name} · ${clientId}`
}

/** undefined if none or several match. */
function findByName(apps: readonly ListedApp[], text: string): string | undefined {
  const typed = text.trim().toLowerCase()
  const named = apps.filter(({ name }) => name.toLowerCase() === typed)
  return named.length === 1 ? named[0]?.clientId : undefined
}

export function AppChoice(props: AppChoiceProps) {
  const { other, error, hint, value } = props
  const { call } = usePage()
  const id = useId()
  const isOther = other !== undefined && value === other.value
  const [text, setText] = useState(isOther ? other.text : value)
  const [apps, setApps] = useState<ListedApp[]>([])
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  async function suggest(search: string) {
    const result = await call(
      'GET /api/admin/client-apps',
      search ? { search: search.slice(0, 100) } : {},
    )
    if (!result.ok) return
    const found = result.data.clientApps
    setApps(found)
    // The URL contains only the id.
    const known = found.find(({ clientId }) => clientId === search)
    if (known) setText(toText(known))
    // Typing the full name counts as a choice.
    const isTyped = findByName(found, input.current?.value ?? '') !== undefined
    if (isTyped) setTimeout(() => input.current?.dispatchEvent(new Event('input', BUBBLING)))
  }
  useEffect(() => {
    void suggest(isOther ? '' : value)
    return () => clearTimeout(timer.current)
  }, [])

  function type(next: string) {
    setText(next)
    const byText = CLIENT_ID.exec(next)?.[0] ?? findByName(apps, next)
    const chosen = next === other?.text ? other.value : byText
    props.onChange(chosen ?? '')
    clearTimeout(timer.current)
    if (!chosen) timer.current = setTimeout(() => void suggest(next.trim()), DEBOUNCE_MS)
  }

  return (
    <div class={`${field.field} ${filters.appChoice}`}>
      <label for={id}>{props.label}</label>
      <div class={field.box}>
        <input
          id={id}
          ref={input}
          type="text"
          list={`${id}-apps`}
          value={text}
          placeholder={props.placeholder}
          autoComplete="off"
          spellcheck={false}
          aria-invalid={Boolean(error)}
          aria-describedby={error ? `${id}-error` : hint ? `${id}-hint` : undefined}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </div>
      <datalist id={`${id}-apps`}>
        {other && <option value={other.text} />}
        {apps.map((app) => (
          <option key={app.clientId} value={toText(app)} />
        ))}
      </datalist>
      <FieldNote id={id} error={error} hint={hint} />
    </div>
  )
}

/** A filter by client app. Only a chosen app, not the typed text, goes into the URL. */
export function AppFilter({ clientId, name = 'app' }: { clientId: string; name?: string }) {
  const [chosen, setChosen] = useState(clientId)
  return (
    <>
      <AppChoice
        label="Client app"
        value={clientId}
        placeholder="Any client app"
        onChange={setChosen}
      />
      <input type="hidden" name={name} value={chosen} />
    </>
  )
}
