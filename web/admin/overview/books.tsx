/** Shows whether the books are balanced, and when that was checked. */
import type { ComponentChildren } from 'preact'
import { AlertIcon, CheckIcon, ClockIcon } from '../../ui/icons.tsx'
import type { Overview } from '../calls.ts'
import { words } from '../messages.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { formatUtc } from '../kit/format-utc.ts'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as styles from './overview.module.css'

type Books = Overview['books']
const texts = words.books

export function BooksCard({ books }: { books: Books }) {
  if (books.fault !== null) return <Faulty books={books} fault={books.fault} />
  if (books.balancedAt === null) {
    return (
      <Card state="open" icon={<ClockIcon />}>
        <p class={styles.booksTitle}>{books.isVerifierEnabled ? texts.waiting : texts.off}</p>
        <p class={`${base.muted} ${styles.booksNote}`}>
          {books.isVerifierEnabled ? texts.waitingText : texts.offText}
        </p>
      </Card>
    )
  }
  return (
    <Card state="good" icon={<CheckIcon />}>
      <p class={styles.booksTitle}>
        {texts.balanced} <Clock at={books.balancedAt} />, {texts.operations(books.operations ?? 0)}.
      </p>
      <p class={`${base.muted} ${styles.booksNote}`}>
        {books.isVerifierEnabled ? <Verified books={books} /> : `${texts.off}. ${texts.offText}`}
      </p>
    </Card>
  )
}

function Verified({ books }: { books: Books }) {
  const { verifiedAt, verifiedOperations, verifiedSoFar } = books
  return (
    <>
      {verifiedAt === null ? (
        texts.notVerified
      ) : (
        <>
          {texts.verified(verifiedOperations ?? 0)} <Clock at={verifiedAt} />.
        </>
      )}{' '}
      {verifiedSoFar !== null && texts.verifying(verifiedSoFar)}
    </>
  )
}

function Faulty({ books, fault }: { books: Books; fault: string }) {
  return (
    <Card state="bad" icon={<AlertIcon />} role="alert">
      <p class={styles.booksTitle}>{texts.faulty}</p>
      <p>
        <code>{fault}</code>
      </p>
      <p class={`${base.muted} ${styles.booksNote}`}>
        {books.faultAt && (
          <>
            {texts.found} <Clock at={books.faultAt} />.{' '}
          </>
        )}
        <Link class={button.textButton} to={paths.switches}>
          {texts.pause}
        </Link>
        . {texts.todo}
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
    <section class={`${styles.books} ${COLORS[state]}`} aria-label={texts.label}>
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
