import type { ComponentChildren } from 'preact'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import type { FoundOperation, OperationQuery } from '../calls.ts'
import { Snippet } from '../kit/copy.tsx'
import { Copyable, Facts } from '../kit/facts.tsx'
import { Empty, ReadFailed } from '../kit/list-parts.tsx'
import { OperationAttempts } from './attempts.tsx'
import { RefundOperation } from './refund-operation.tsx'
import { OperationSummary } from './summary.tsx'
import { usePage } from '../page-context.ts'
import { PersonLink } from '../kit/links.tsx'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { formatUtc } from '../kit/format-time.ts'
import { useRead } from '../kit/use-read.ts'
import { OPERATION_KINDS } from '../kit/operation-kinds.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as personLink from '../kit/links.module.css'
import * as styles from './operations.module.css'

export function OperationResult({ query }: { query: OperationQuery }) {
  const { call } = usePage()
  const { response, refusal, reload } = useRead('', () => call('GET /api/admin/operations', query))
  if (refusal && !refusal.offline && refusal.status === 404) {
    return (
      <Empty
        title="Transaction or client app not found"
        text="No operation has this ID. Check that it is complete. If you chose a client app, clear it: another app or a person may have received the ID."
      />
    )
  }
  if (refusal) return <ReadFailed retry={reload} />
  if (!response) return <Searching />
  return (
    <div class={`${parts.partStack} ${base.appear}`}>
      <OperationSummary found={response} />
      <RefundOperation found={response} />
      <section class={parts.part}>
        <h2>Recorded operation</h2>
        <OperationFacts found={response} />
      </section>
      {response.attempts.length > 0 && <OperationAttempts found={response} />}
      {response.responses.length > 0 && (
        <section class={parts.part}>
          <h2>Responses to the client app</h2>
          {response.responses.map(({ call: name, status, body }) => (
            <Snippet key={name} title={`${name} → ${status}`} text={body} />
          ))}
        </section>
      )}
    </div>
  )
}

function Searching() {
  return (
    <div class={styles.summary} role="status">
      <span class={base.visuallyHidden}>Searching …</span>
      <p aria-hidden="true">
        <TextPlaceholder length={24} />
      </p>
    </div>
  )
}

function OperationFacts({ found }: { found: FoundOperation }) {
  const { money } = usePage()
  const { clientApp, decision, currency, referenceType, referenceId } = found
  const toMoney = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? null : money.plain(amount, currency)
  const debt = decision?.debt ?? 0
  const rows: [string, ComponentChildren][] = [
    [
      'Client app',
      clientApp ? (
        <Link class={personLink.personLink} to={paths.app(clientApp.clientId)}>
          {clientApp.name}
        </Link>
      ) : (
        'The service itself'
      ),
    ],
    ['Reference type', <code key="type">{referenceType}</code>],
    ['Reference ID', <Copyable key="id" text={referenceId} what="Reference ID" />],
    ['Person', decision && <PersonLink person={decision.person} />],
    ['Type', decision && OPERATION_KINDS[decision.kind]],
    ['Requested amount', toMoney(decision?.amount)],
    ['Balance afterwards', toMoney(decision?.balance)],
    ['Refunded', decision && decision.refunded > 0 && toMoney(decision.refunded)],
    ['Added to the debt', debt > 0 && toMoney(debt)],
    ['Paid off the debt', debt < 0 && toMoney(-debt)],
    ['Description', decision?.description],
    ['ID the person sees', showId('ID the person sees', decision?.transactionId)],
    ['ID the app sees', showId('ID the app sees', decision?.appTransactionId)],
    ['Decided (UTC)', decision && formatUtc(decision.decidedAt)],
  ]
  return <Facts rows={rows} />
}

function showId(what: string, id: string | null | undefined) {
  return id && <Copyable text={id} what={what} />
}
