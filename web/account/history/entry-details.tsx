/** The details of an entry: first what the person wants to know, then what support asks for. */
import type { ComponentChildren } from 'preact'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { Entry } from '../calls.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as button from '../../ui/button.module.css'
import * as styles from './entries.module.css'

export function EntryDetails({ entry }: { entry: Entry }) {
  const { messages, money } = usePage()
  const { details, problem } = messages.history
  const time = new Intl.DateTimeFormat(messages.lang, { dateStyle: 'long', timeStyle: 'short' })
  const isPayment = entry.source === 'other_app' && entry.type === 'debit'
  return (
    <div class={styles.entryFacts}>
      <Rows
        rows={[
          [details.time, time.format(new Date(entry.createdAt))],
          // The title of other entries is their description.
          [details.what, entry.source === 'hold' && entry.description],
          [isPayment ? details.paidTo : details.from, entry.app],
          [
            details.refundOf,
            entry.refundOf && <EntryLink id={entry.refundOf} text={details.showPayment} />,
          ],
          [
            details.refunded,
            Boolean(entry.refunded) && (
              <>
                {money.plain(entry.refunded ?? 0, entry.currency)}{' '}
                <EntryLink id={entry.id} text={details.showRefunds} />
              </>
            ),
          ],
          [details.balanceAfter, money.plain(entry.balanceAfter, entry.currency)],
        ]}
      />
      {isPayment && entry.app !== null && <p class={base.muted}>{problem(entry.app)}</p>}
      <ForSupport entry={entry} />
    </div>
  )
}

/** The search for the id of a payment finds the payment and its refunds. */
function EntryLink({ id, text }: { id: string; text: string }) {
  return (
    <a class={button.textButton} href={`#history?search=${id}`}>
      {text}
    </a>
  )
}

function ForSupport({ entry }: { entry: Entry }) {
  const { messages } = usePage()
  const { details } = messages.history
  const { referenceType, referenceId, id } = entry
  const reference = [referenceType, referenceId].filter(Boolean).join(' ')
  return (
    <details class={styles.support}>
      <summary>{details.forSupport}</summary>
      <Rows
        rows={[
          [
            details.id,
            <>
              {id} <CopyButton text={id} what={details.id} messages={messages.copy} />
            </>,
          ],
          [
            details.reference,
            reference && (
              <>
                {reference}{' '}
                <CopyButton text={reference} what={details.reference} messages={messages.copy} />
              </>
            ),
          ],
        ]}
      />
    </details>
  )
}

function Rows({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class={styles.facts}>
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt class={base.muted}>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
