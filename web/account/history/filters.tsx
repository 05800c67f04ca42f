/** Search and filters. The URL contains the chosen values. */
import type { TargetedEvent } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import { DateField, SearchField } from '../../ui/filter-fields.tsx'
import type { HistoryFilter } from '../calls.ts'
import { readFilter, SOURCES, TYPES } from './filter.ts'
import { FilterIcon } from '../icons.tsx'
import { usePage } from '../page-context.ts'
import { replaceParameters } from '../use-route.ts'
import * as button from '../../ui/button.module.css'
import * as field from '../../ui/field.module.css'
import * as styles from './filters.module.css'

const DEBOUNCE_MS = 300

export function HistoryFilters({ filter }: { filter: HistoryFilter }) {
  const { messages } = usePage()
  const { write, generation, clear } = useFilterForm(filter)
  const { search, ...others } = filter
  const count = Object.keys(others).length
  const [isOpen, setIsOpen] = useState(count > 0)
  const panelId = useId()
  return (
    <search>
      <form
        class={styles.filters}
        key={generation}
        onSubmit={(event) => event.preventDefault()}
        onInput={(event) => write(event, DEBOUNCE_MS)}
      >
        <div class={styles.first}>
          <SearchField
            class={styles.search}
            label={messages.history.search}
            isLabelHidden
            hint={messages.history.searchHint}
            value={search}
          />
          <button
            class={`${button.button} ${button.secondary}`}
            type="button"
            aria-expanded={isOpen}
            aria-controls={panelId}
            onClick={() => setIsOpen(!isOpen)}
          >
            <FilterIcon />
            <span class={styles.word}>{messages.history.filters}</span>
            {count > 0 && <span class={styles.count}>{count}</span>}
          </button>
        </div>
        <div class={styles.panel} id={panelId} hidden={!isOpen}>
          <Choices name="type" value={filter.type} />
          <Choices name="source" value={filter.source} />
          <DateField name="from" label={messages.history.from} value={filter.from} />
          <DateField name="to" label={messages.history.to} value={filter.to} />
          {(count > 0 || search) && (
            <p class={styles.clear}>
              <TextButton onClick={clear}>{messages.history.clear}</TextButton>
            </p>
          )}
        </div>
      </form>
    </search>
  )
}

/** The fields keep what is typed. They are recreated only if something else changes the URL. */
function useFilterForm(filter: HistoryFilter) {
  const current = JSON.stringify(filter)
  const written = useRef(current)
  const generation = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  if (written.current !== current) {
    written.current = current
    generation.current++
  }

  function write(event: TargetedEvent<HTMLFormElement, InputEvent>, debounceMs: number) {
    const form = event.currentTarget
    const isTyping = (event.target as HTMLInputElement).name === 'search'
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => {
        const values = Object.fromEntries(new FormData(form)) as Record<string, string>
        written.current = JSON.stringify(readFilter(values))
        replaceParameters('history', values)
      },
      isTyping ? debounceMs : 0,
    )
  }

  return {
    write,
    generation: generation.current,
    clear: () => {
      clearTimeout(timer.current)
      replaceParameters('history', {})
    },
  }
}

function Choices({ name, value }: { name: 'type' | 'source'; value: string | undefined }) {
  const { messages } = usePage()
  const id = useId()
  const isType = name === 'type'
  const choices: [string, string][] = isType
    ? TYPES.map((each) => [each, messages.history.types[each]])
    : SOURCES.map((each) => [each, messages.history.sources[each]])
  return (
    <div class={field.field}>
      <label for={id}>{messages.history[name]}</label>
      <div class={field.box}>
        <select id={id} name={name}>
          <option value="">{isType ? messages.history.anyType : messages.history.anySource}</option>
          {choices.map(([key, text]) => (
            <option key={key} value={key} selected={key === value}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
