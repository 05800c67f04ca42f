/** The integration check: recent activity of the app, updated every few seconds. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { AlertIcon, CheckIcon, ClockIcon } from '../../ui/icons.tsx'
import { RefusedOrigins } from './refused-origins.tsx'
import type { TabProps } from '../kit/app-tabs.tsx'
import { Table } from '../kit/list-parts.tsx'
import { explainCode } from '../kit/explain-code.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './check.module.css'

const STATES = { good: 'OK:', open: 'Warning:', bad: 'Error:' }

const UPDATE_INTERVAL_MS = 5000
/** After this time the updates stop, because a login must expire after 15 minutes without activity. */
const UPDATES_MAX = 60
const RECENT_MS = 24 * 60 * 60 * 1000

export function AppCheck({ app, reload }: TabProps) {
  useInterval(UPDATE_INTERVAL_MS, UPDATES_MAX, reload)
  const { isActive, lastUsedAt, scopes, allowedIframeParents, seen } = app
  const isUsedLongAgo = lastUsedAt !== null && Date.now() - Date.parse(lastUsedAt) > RECENT_MS
  const wasUsed = lastUsedAt !== null && !isUsedLongAgo
  return (
    <section class={parts.part}>
      <h2>Integration check</h2>
      <p class={`${base.muted} ${parts.partLead}`}>
        Recent activity of this app, updated automatically.
      </p>
      <ul class={styles.checks}>
        <Check state={isActive ? 'good' : 'bad'}>
          {isActive
            ? 'The app is active.'
            : 'The app is not active, so all of its calls are refused.'}
        </Check>
        <Check state={wasUsed ? 'good' : 'open'}>
          {lastUsedAt === null ? (
            'The credentials have never been used. Make a call with them, as shown below.'
          ) : (
            <>
              {isUsedLongAgo
                ? 'The credentials work, but were last used'
                : 'The credentials work. Last used'}{' '}
              <Time at={lastUsedAt} />.
            </>
          )}
        </Check>
        <Check state={scopes.length === 2 ? 'good' : 'open'}>{describeScopes(scopes.length)}</Check>
        <Check state={allowedIframeParents.length > 0 ? 'good' : 'bad'}>
          {describeParents(allowedIframeParents.length)}
        </Check>
        <Check state={seen.refusedOrigins.length > 0 ? 'open' : 'good'}>
          {describeRefusedPages(seen.refusedOrigins.length)}
        </Check>
        <Check state={seen.errors.length > 0 ? 'open' : 'good'}>
          {describeRefusedCalls(seen.errors.length)}
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
      <span class={base.visuallyHidden}>{STATES[state]}</span>
      <span>{children}</span>
    </li>
  )
}

function LastErrors({ errors }: { errors: TabProps['app']['seen']['errors'] }) {
  const columns = [
    { name: 'Code' },
    { name: 'Count', isNumber: true },
    { name: 'Last' },
    { name: 'Meaning' },
  ]
  return (
    <Table label="Refused calls" columns={columns}>
      {errors.map((error) => (
        <tr key={error.code}>
          <th scope="row">
            <code>{error.code}</code>
          </th>
          <td class={table.number}>{error.count.toLocaleString('en')}</td>
          <td>
            <Time at={error.at} />
          </td>
          <td class={table.wide}>{explainCode(error.code)}</td>
        </tr>
      ))}
    </Table>
  )
}

/** Calls `act` at every interval while the page is visible, up to `times` times. */
function useInterval(intervalMs: number, times: number, act: () => Promise<void>) {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    let left = times
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return
      void latest.current()
      left--
      if (left === 0) clearInterval(timer)
    }, intervalMs)
    return () => clearInterval(timer)
  }, [])
}

function describeScopes(count: number): string {
  if (count === 0) return 'The app has no scopes, so every call is refused.'
  return count === 1
    ? 'The app has one of two scopes. Calls that need the other one are refused.'
    : 'The app can read and write.'
}

function describeParents(count: number): string {
  return count === 0
    ? 'No iframe parent is listed, so no page can embed the widget.'
    : `${count} ${count === 1 ? 'page' : 'pages'} can embed the widget.`
}

function describeRefusedPages(count: number): string {
  return count === 0
    ? 'No pages were refused.'
    : `${count} ${count === 1 ? 'page that is not listed' : 'pages that are not listed'} tried to embed the widget.`
}

function describeRefusedCalls(count: number): string {
  return count === 0
    ? 'No calls were refused.'
    : `Calls were refused, with ${count} ${count === 1 ? 'code' : 'different codes'}.`
}
