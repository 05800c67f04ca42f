/** Shows whether the books are balanced, and when that was checked. */
import type { ComponentChildren } from 'preact'
import { AlertIcon, CheckIcon, ClockIcon } from '../../ui/icons.tsx'
import type { Overview } from '../calls.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { formatUtc } from '../kit/format-time.ts'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as styles from './overview.module.css'

const VERIFIER_OFF = 'The background verifier is off'

const VERIFIER_OFF_HINT = 'Set VERIFY_PERCENT above 0, or run coffer verify regularly.'

type Books = Overview['books']

export function BooksCard({ books }: { books: Books }) {
  if (books.fault !== null) return <LedgerError books={books} error={books.fault} />
  if (books.balancedAt === null) {
    return (
      <Card state="open" icon={<ClockIcon />}>
        <p class={styles.booksTitle}>
          {books.isVerifierEnabled ? 'Not verified yet' : VERIFIER_OFF}
        </p>
        <p class={`${base.muted} ${styles.booksNote}`}>
          {books.isVerifierEnabled
            ? 'The background verifier starts a few seconds after the service.'
            : VERIFIER_OFF_HINT}
        </p>
      </Card>
    )
  }
  return (
    <Card state="good" icon={<CheckIcon />}>
      <p class={styles.booksTitle}>
        Books balanced as of <Clock at={books.balancedAt} />,{' '}
        {(books.operations ?? 0).toLocaleString('en')} operations.
      </p>
      <p class={`${base.muted} ${styles.booksNote}`}>
        {books.isVerifierEnabled ? (
          <LastRun books={books} />
        ) : (
          `${VERIFIER_OFF}. ${VERIFIER_OFF_HINT}`
        )}
      </p>
    </Card>
  )
}

function LastRun({ books }: { books: Books }) {
  const { verifiedAt, verifiedOperations, verifiedSoFar } = books
  return (
    <>
      {verifiedAt === null ? (
        'The first run through all entries is not complete yet.'
      ) : (
        <>
          {(verifiedOperations ?? 0).toLocaleString('en')} entries were verified in the run started{' '}
          <Clock at={verifiedAt} />.
        </>
      )}{' '}
      {verifiedSoFar !== null &&
        `The current run has verified ${verifiedSoFar.toLocaleString('en')}.`}
    </>
  )
}

function LedgerError({ books, error }: { books: Books; error: string }) {
  return (
    <Card state="bad" icon={<AlertIcon />} role="alert">
      <p class={styles.booksTitle}>Verification found an error in the ledger</p>
      <p>
        <code>{error}</code>
      </p>
      <p class={`${base.muted} ${styles.booksNote}`}>
        {books.faultAt && (
          <>
            Found <Clock at={books.faultAt} />.{' '}
          </>
        )}
        <Link class={button.textButton} to={paths.switches}>
          Pause writes
        </Link>
        . Then run coffer verify and keep a copy of the database in its current state as evidence.
        See “Verify and checkpoint” in docs/operations.md. This notice stays until a complete run
        finds no errors.
      </p>
    </Card>
  )
}

const COLORS = { good: styles.booksGood, open: '', bad: styles.booksBad }

interface CardProps {
  state: 'good' | 'open' | 'bad'
  icon: ComponentChildren
  role?: 'alert'
  children: ComponentChildren
}

function Card({ state, icon, role, children }: CardProps) {
  return (
    <section class={`${styles.books} ${COLORS[state]}`} aria-label="The books">
      {icon}
      <div role={role}>{children}</div>
    </section>
  )
}

/** For today, only the time is shown. */
function Clock({ at }: { at: string }) {
  const isToday = at.slice(0, 10) === new Date().toISOString().slice(0, 10)
  return <time dateTime={at}>{isToday ? at.slice(11, 19) : formatUtc(at)} UTC</time>
}
