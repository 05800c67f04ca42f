/** Search and filters above a list. What is chosen stands in the address. */
import type { ComponentChildren, TargetedEvent } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { SearchIcon } from '../../ui/page-icons.tsx'
import { words } from '../messages.ts'
import { replaceParameters } from '../route.tsx'

const PAUSE_MS = 300

interface FiltersProps {
  /** What the address says now. */
  current: Record<string, string | undefined>
  searchHint: string
  children?: ComponentChildren
}

/** The fields keep what is typed; only when the address changes by other hands are they made anew. */
export function Filters({ current, searchHint, children }: FiltersProps) {
  const now = toKey(current)
  const own = useRef(now)
  const generation = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (own.current !== now) {
    own.current = now
    generation.current++
  }
  function write(event: TargetedEvent<HTMLFormElement, InputEvent>) {
    const form = event.currentTarget
    const isTyping = (event.target as HTMLInputElement).name === 'search'
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => {
        const values = Object.fromEntries(new FormData(form)) as Record<string, string>
        own.current = toKey(values)
        replaceParameters(values)
      },
      isTyping ? PAUSE_MS : 0,
    )
  }
  return (
    <search>
      <form
        class="filters"
        key={generation.current}
        onSubmit={(event) => event.preventDefault()}
        onInput={write}
      >
        <SearchField value={current['search']} hint={searchHint} />
        {children}
      </form>
    </search>
  )
}

function toKey(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value)
  return JSON.stringify(given.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

function SearchField({ value, hint }: { value: string | undefined; hint: string }) {
  const id = useId()
  return (
    <div class="field field-search">
      <label for={id}>{words.list.search}</label>
      <div class="field-box">
        <SearchIcon />
        <input
          id={id}
          name="search"
          type="search"
          maxLength={100}
          defaultValue={value ?? ''}
          placeholder={hint}
          autoComplete="off"
          enterKeyHint="search"
        />
      </div>
    </div>
  )
}

export function DayField({ name, value }: { name: 'from' | 'to'; value: string | undefined }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{words.list[name]}</label>
      <div class="field-box">
        <input id={id} name={name} type="date" defaultValue={value ?? ''} />
      </div>
    </div>
  )
}

/** Out of the address, in which anything may stand. */
export function toDay(text: string | undefined): string | undefined {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''))
  return isDay ? text : undefined
}

/** Without what is not chosen. */
export function onlyGiven<T extends object>(filter: T): T {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value)) as T
}
