import type { ComponentChildren } from 'preact'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import type { FoundOperation, OperationQuestion } from '../calls.ts'
import { Snippet } from '../kit/copy.tsx'
import { Copyable, Facts } from '../kit/facts.tsx'
import { Empty, ReadFailed } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { OperationAttempts } from './attempts.tsx'
import { GiveOperationBack } from './give-operation-back.tsx'
import { OperationVerdict } from './verdict.tsx'
import { usePage } from '../page-context.ts'
import { PersonLink } from '../kit/person-link.tsx'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { formatUtc } from '../kit/format-utc.ts'
import { useRead } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as personLink from '../kit/person-link.module.css'
import * as styles from './operations.module.css'

const texts = words.operations

export function OperationResult({ question }: { question: OperationQuestion }) {
  const page = usePage()
  const { response, refusal, reload } = useRead('', () =>
    page.call('GET /api/admin/operations', question),
  )
  if (refusal && !refusal.offline && refusal.status === 404) {
    return <Empty title={texts.astrayTitle} text={texts.astray} />
  }
  if (refusal) return <ReadFailed retry={reload} />
  if (!response) return <Searching />
  return (
    <div class={`${parts.partStack} ${base.appear}`}>
      <OperationVerdict found={response} />
      <GiveOperationBack found={response} />
      <section class={parts.part}>
        <h2>{texts.facts}</h2>
        <OperationFacts found={response} />
      </section>
      {response.attempts.length > 0 && <OperationAttempts found={response} />}
      {response.answers.length > 0 && (
        <section class={parts.part}>
          <h2>{texts.answersTitle}</h2>
          {response.answers.map(({ call, status, body }) => (
            <Snippet key={call} title={texts.answers(call, status)} text={body} />
          ))}
        </section>
      )}
    </div>
  )
}

function Searching() {
  return (
    <div class={styles.verdict} role="status">
      <span class={base.visuallyHidden}>{texts.searching}</span>
      <p aria-hidden="true">
        <TextPlaceholder length={24} />
      </p>
    </div>
  )
}

function OperationFacts({ found }: { found: FoundOperation }) {
  const { money } = usePage()
  const { clientApp, decision, currency, referenceType, referenceId } = found
  const { names } = texts
  const toMoney = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? null : money.plain(amount, currency)
  const debt = decision?.debt ?? 0
  const rows: [string, ComponentChildren][] = [
    [
      names.app,
      clientApp ? (
        <Link class={personLink.personLink} to={paths.app(clientApp.clientId)}>
          {clientApp.name}
        </Link>
      ) : (
        texts.service
      ),
    ],
    [names.referenceType, <code key="type">{referenceType}</code>],
    [names.referenceId, <Copyable key="id" text={referenceId} what={names.referenceId} />],
    [names.person, decision && <PersonLink person={decision.person} />],
    [names.kind, decision && words.history.kinds[decision.kind]],
    [names.amount, toMoney(decision?.amount)],
    [names.balance, toMoney(decision?.balance)],
    [names.refunded, decision && decision.refunded > 0 && toMoney(decision.refunded)],
    [names.debtMade, debt > 0 && toMoney(debt)],
    [names.debtPaid, debt < 0 && toMoney(-debt)],
    [names.description, decision?.description],
    [names.personId, showId(names.personId, decision?.transactionId)],
    [names.appId, showId(names.appId, decision?.appTransactionId)],
    [names.decidedAt, decision && formatUtc(decision.decidedAt)],
  ]
  return <Facts rows={rows} />
}

function showId(what: string, id: string | null | undefined) {
  return id && <Copyable text={id} what={what} />
}
