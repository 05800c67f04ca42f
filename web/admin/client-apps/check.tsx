/** The integration check: recent activity of the app, updated every few seconds. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { AlertIcon, CheckIcon, ClockIcon } from '../../ui/icons.tsx'
import { RefusedOrigins } from './refused-origins.tsx'
import type { TabProps } from './tab.ts'
import { Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './check.module.css'

const EVERY_MS = 5000
/** After this time the updates stop, because a login must expire after 15 minutes without activity. */
const TIMES = 60
const LATELY_MS = 24 * 60 * 60 * 1000

const texts = words.check

export function AppCheck({ app, reload }: TabProps) {
  useEvery(EVERY_MS, TIMES, reload)
  const { isActive, lastUsedAt, scopes, allowedIframeParents, seen } = app
  const isLate = lastUsedAt !== null && Date.now() - Date.parse(lastUsedAt) > LATELY_MS
  const wasUsed = lastUsedAt !== null && !isLate
  return (
    <section class={parts.part}>
      <h2>{texts.title}</h2>
      <p class={`${base.muted} ${parts.partLead}`}>{texts.lead}</p>
      <ul class={styles.checks}>
        <Check state={isActive ? 'good' : 'bad'}>{isActive ? texts.active : texts.inactive}</Check>
        <Check state={wasUsed ? 'good' : 'open'}>
          {lastUsedAt === null ? (
            texts.neverUsed
          ) : (
            <>
              {isLate ? texts.usedLongAgo : texts.used} <Time at={lastUsedAt} />.
            </>
          )}
        </Check>
        <Check state={scopes.length === 2 ? 'good' : 'open'}>{texts.scopes(scopes.length)}</Check>
        <Check state={allowedIframeParents.length > 0 ? 'good' : 'bad'}>
          {texts.parents(allowedIframeParents.length)}
        </Check>
        <Check state={seen.refusedOrigins.length > 0 ? 'open' : 'good'}>
          {texts.refused(seen.refusedOrigins.length)}
        </Check>
        <Check state={seen.errors.length > 0 ? 'open' : 'good'}>
          {texts.errors(seen.errors.length)}
        </Check>
      </ul>
      {seen.refusedOrigins.length > 0 && <RefusedOrigins app={app} />}
      {seen.errors.length > 0 && <LastErrors errors={seen.errors} />}
    </section>
  )
}

const COLORS = { good: styles.good, open: '', bad: styles.bad }

interface CheckProps {
  state: 'good' | 'open' | 'bad'
  children: ComponentChildren
}

function Check({ state, children }: CheckProps) {
  return (
    <li class={`${styles.check} ${COLORS[state]}`}>
      {state === 'good' && <CheckIcon />}
      {state === 'open' && <ClockIcon />}
      {state === 'bad' && <AlertIcon />}
      <span class={base.visuallyHidden}>{texts.states[state]}</span>
      <span>{children}</span>
    </li>
  )
}

function LastErrors({ errors }: { errors: TabProps['app']['seen']['errors'] }) {
  const meanings: Record<string, string> = words.meanings
  const { code, count, last, meaning } = texts.columns
  const columns = [
    { name: code },
    { name: count, isNumber: true },
    { name: last },
    { name: meaning },
  ]
  return (
    <Table label={texts.errorsTitle} columns={columns}>
      {errors.map((error) => (
        <tr key={error.code}>
          <th scope="row">
            <code>{error.code}</code>
          </th>
          <td class={table.number}>{error.count.toLocaleString('en')}</td>
          <td>
            <Time at={error.at} />
          </td>
          <td class={table.wide}>{meanings[error.code] ?? texts.unknownCode}</td>
        </tr>
      ))}
    </Table>
  )
}

/** Only while the page is visible. */
function useEvery(everyMs: number, times: number, act: () => Promise<void>) {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    let left = times
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return
      void latest.current()
      left--
      if (left === 0) clearInterval(timer)
    }, everyMs)
    return () => clearInterval(timer)
  }, [])
}
