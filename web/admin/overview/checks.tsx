/** The last result of each check that a timer runs. */
import { AlertIcon, CheckIcon } from '../../ui/icons.tsx'
import type { Overview } from '../calls.ts'
import { formatUtc } from '../kit/format-time.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './overview.module.css'

export function Checks({ checks }: { checks: Overview['checks'] }) {
  if (checks.length === 0) return null
  return (
    <section aria-label="Checks">
      <ul class={styles.checks}>
        {checks.map(({ name, isOk, finishedAt, summary }) => (
          <li key={name} class={isOk ? styles.booksGood : styles.booksBad}>
            {isOk ? <CheckIcon /> : <AlertIcon />}
            <p>
              <strong>
                coffer check {name}: {isOk ? 'no problem' : 'failed'}
              </strong>{' '}
              <span class={base.muted}>
                <time dateTime={finishedAt}>{formatUtc(finishedAt)} UTC</time>. {summary}
              </span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
