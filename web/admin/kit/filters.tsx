/** Search and filters above a list. The URL contains the chosen values. */
import type { ComponentChildren, TargetedEvent } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { DateField, SearchField } from '../../ui/filter-fields.tsx'
import { replaceParameters } from '../route.tsx'
import * as button from '../../ui/button.module.css'
import * as field from '../../ui/field.module.css'
import * as styles from './filters.module.css'

const DEBOUNCE_MS = 300
/** The names of the fields that people type into. */
const TYPED = ['search', 'min', 'reference']
/** Values that the button does not count, because their fields are elsewhere. */
const NOT_COUNTED = ['search', 'person']

interface FiltersProps {
  /** The values in the URL. */
  current: Record<string, string | undefined>
  /** Without it, there is no search field. */
  searchHint?: string
  /** The name of the form, if the page has another search form. */
  label?: string
  children?: ComponentChildren
}

/** The fields keep what is typed. They are recreated only if something else changes the URL. */
export function Filters({ current, searchHint, label, children }: FiltersProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  // One field needs as much space as the button.
  const isCollapsible = Array.isArray(children)
  const given = countGiven(current)
  const now = toKey(current)
  const written = useRef(now)
  const generation = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  if (written.current !== now) {
    written.current = now
    generation.current++
  }
  function write(event: TargetedEvent<HTMLFormElement, InputEvent>) {
    const form = event.currentTarget
    const isTyping = TYPED.includes((event.target as HTMLInputElement).name)
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => {
        const values = Object.fromEntries(new FormData(form)) as Record<string, string>
        written.current = toKey(values)
        replaceParameters(values)
      },
      isTyping ? DEBOUNCE_MS : 0,
    )
  }
  return (
    <search aria-label={label}>
      <form
        class={styles.filters}
        key={generation.current}
        onSubmit={(event) => event.preventDefault()}
        onInput={write}
      >
        {searchHint !== undefined && (
          <SearchField
            class={styles.search}
            label="Search"
            hint={searchHint}
            value={current['search']}
          />
        )}
        {isCollapsible && (
          <button
            class={`${button.button} ${button.secondary} ${styles.toggle}`}
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            {given === 0 ? 'Filters' : `Filters (${given})`}
          </button>
        )}
        <div class={`${styles.fields} ${isCollapsible && !isOpen ? styles.collapsed : ''}`} id={id}>
          {children}
        </div>
      </form>
    </search>
  )
}

function countGiven(values: Record<string, string | undefined>): number {
  return Object.entries(values).filter(([name, value]) => value && !NOT_COUNTED.includes(name))
    .length
}

function toKey(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value)
  return JSON.stringify(given.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

interface TextFilterProps {
  name: string
  label: string
  value: string | undefined
}

export function TextFilter({ name, label, value }: TextFilterProps) {
  const id = useId()
  return (
    <div class={field.field}>
      <label for={id}>{label}</label>
      <div class={field.box}>
        <input id={id} name={name} maxLength={255} defaultValue={value ?? ''} autoComplete="off" />
      </div>
    </div>
  )
}

const DATE_LABELS = { from: 'From (UTC)', to: 'To (UTC)' }

export function DayField({ name, value }: { name: 'from' | 'to'; value: string | undefined }) {
  return <DateField name={name} label={DATE_LABELS[name]} value={value} />
}

/** A day and a time. */
export function MinuteField({ name, value }: { name: 'from' | 'to'; value: string | undefined }) {
  return <DateField name={name} label={DATE_LABELS[name]} value={value} hasTime />
}

/** Reads a time such as 2026-01-31T12:00 from the URL, which can contain anything. */
export function toMinute(text: string | undefined): string | undefined {
  const [day, time = ''] = text?.split('T') ?? []
  return toDay(day) && /^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? text : undefined
}

/** Reads a day from the URL, which can contain anything. */
export function toDay(text: string | undefined): string | undefined {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''))
  return isDay ? text : undefined
}

/** Removes empty values. */
export function onlyGiven<T extends object>(filter: T): T {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value)) as T
}
