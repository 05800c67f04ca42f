/** The summary of an operation: whether it was executed, and how often. */
import type { ComponentChildren } from 'preact'
import { AlertIcon, CheckIcon, InfoIcon } from '../../ui/icons.tsx'
import type { FoundOperation } from '../calls.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { formatUtc } from '../kit/format-time.ts'
import { nameOfPerson } from '../kit/links.tsx'
import { describeRefund, summarizeDecision } from './summarize-decision.ts'
import * as styles from './operations.module.css'

const REFUSAL_REASONS: Record<string, string> = {
  INSUFFICIENT_BALANCE: 'The balance was too low.',
  WALLET_INACTIVE: 'The wallet was frozen.',
  SPEND_LIMIT_EXCEEDED: 'It would have exceeded what the person lets the client app take.',
  CREDIT_LIMIT_EXCEEDED: 'It would have exceeded the credit limit of the client app.',
  BALANCE_LIMIT: 'The balance would have exceeded the maximum of a wallet.',
  REFUND_EXCEEDS_DEBIT: 'The refund would have exceeded what was left of the debit.',
  CAPTURE_EXCEEDS_HOLD: 'The capture would have exceeded what was left of the hold.',
  HOLD_EXPIRED: 'The hold had expired.',
  HOLD_CLOSED: 'The hold had no money left.',
  WALLET_CLOSED: 'The person had deleted the account.',
}

export function OperationSummary({ found }: { found: FoundOperation }) {
  const { money } = usePage()
  const { decision, currency, clientApp } = found
  if (!decision) {
    return (
      <Summary kind="none" icon={<InfoIcon />} title="No outcome recorded">
        <p>
          {clientApp
            ? 'No request with this reference was executed or refused. It is safe to retry with the same reference. Check that type and ID are spelled exactly as they were sent.'
            : 'The service has no operation with this reference.'}
        </p>
      </Summary>
    )
  }
  const when = `Reference ${found.referenceId}. ${formatUtc(decision.decidedAt)} UTC, wallet of ${nameOfPerson(decision.person)}.`
  if (decision.code !== null) {
    return (
      <Summary kind="bad" icon={<AlertIcon />} title={`Refused: ${decision.code}`}>
        <p>{when}</p>
        <p>
          {REFUSAL_REASONS[decision.code]} No money moved. The same reference is always refused; a
          new attempt needs a new reference ID.
        </p>
        <Attempts found={found} />
      </Summary>
    )
  }
  const format = (amount: number) => money.plain(amount, currency)
  const { kind, title } = summarizeDecision(decision, found.similar, format)
  return (
    <Summary kind={kind} icon={ICONS[kind]} title={title}>
      <p>{when}</p>
      {decision.debt > 0 && (
        <p>{money.plain(decision.debt, currency)} exceeded the balance and became a debt.</p>
      )}
      <Attempts found={found} />
      <Similar found={found} format={format} />
      {kind === 'warning' && (
        <p>
          Each has a reference of its own. Check whether they are for the same order before you
          refund one.
        </p>
      )}
    </Summary>
  )
}

/** Answers "I was charged twice": a second debit has another reference. */
function Similar({ found, format }: { found: FoundOperation; format: (amount: number) => string }) {
  const { clientApp, decision, similar } = found
  if (decision?.kind !== 'debit' || !clientApp) return null
  const amount = format(decision.amount)
  if (similar.length === 0)
    return (
      <p>
        {clientApp.name} made no other debit of {amount} within ten minutes.
      </p>
    )
  const describe = (refunded: number) =>
    refunded === 0 ? undefined : describeRefund(refunded, decision.amount, format)
  const own = describe(decision.refunded)
  return (
    <>
      {own && <p>This debit: {own}.</p>}
      <p>
        {clientApp.name} made{' '}
        {similar.length === 1 ? 'another debit' : `${similar.length} other debits`} of {amount}{' '}
        within ten minutes:
      </p>
      <ul class={styles.similar}>
        {similar.map(({ referenceType, referenceId, description, refunded, createdAt }) => (
          <li key={`${referenceType} ${referenceId}`} dir="auto">
            <Link to={paths.operation(clientApp.clientId, referenceType, referenceId)}>
              Reference {referenceId}:
            </Link>{' '}
            {[`${formatUtc(createdAt)} UTC`, describe(refunded), description]
              .filter(Boolean)
              .join(' · ')}
          </li>
        ))}
      </ul>
    </>
  )
}

function Attempts({ found: { attempts, hasMoreAttempts } }: { found: FoundOperation }) {
  if (attempts.length === 0) return null
  const isAboutAmount = attempts.every(({ differs }) => differs.join() === 'amount')
  return <p>{describeAttempts(attempts.length, hasMoreAttempts, isAboutAmount)}</p>
}

const COLORS = {
  good: styles.summaryGood,
  warning: styles.summaryWarning,
  bad: styles.summaryBad,
  none: '',
}
const ICONS = { good: <CheckIcon />, warning: <AlertIcon />, none: <InfoIcon /> }

interface SummaryProps {
  kind: keyof typeof COLORS
  icon: ComponentChildren
  title: string
  children: ComponentChildren
}

function Summary({ kind, icon, title, children }: SummaryProps) {
  return (
    <div class={`${styles.summary} ${COLORS[kind]}`} role="status">
      <span class={styles.summaryIcon}>{icon}</span>
      <div>
        <h2>{title}</h2>
        {children}
      </div>
    </div>
  )
}

function countAttempts(count: number, hasMore: boolean): string {
  if (hasMore) return `More than ${count} later attempts`
  return count === 1 ? '1 later attempt' : `${count} later attempts`
}

function describeAttempts(count: number, hasMore: boolean, isAboutAmount: boolean): string {
  const isOne = count === 1 && !hasMore
  const amounts = isOne ? 'a different amount' : 'different amounts'
  const values = isAboutAmount ? amounts : 'different values'
  return `${countAttempts(count, hasMore)} with ${values} ${isOne ? 'was' : 'were'} not executed.`
}
