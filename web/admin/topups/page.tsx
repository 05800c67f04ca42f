/** One top-up: payment, refunds and disputes. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice, Done } from '../../ui/notice.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import type { Topup } from '../calls.ts'
import { Copyable, Facts } from '../kit/facts.tsx'
import { BackIcon } from '../kit/icons.tsx'
import { ReadFailed } from '../kit/list-parts.tsx'
import { NotFound } from '../not-found.tsx'
import { SERVICE } from '../kit/operation-form.tsx'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { PersonLink } from '../kit/links.tsx'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { formatUtc } from '../kit/format-time.ts'
import { TopupDisputes } from './disputes.tsx'
import { maxRefundable, TopupFigures } from './figures.tsx'
import { RefundDialog } from './refund.tsx'
import { TopupRefunds } from './refunds.tsx'
import { TopupState } from './state.tsx'
import { useRead } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as detail from '../kit/detail.module.css'
import * as parts from '../kit/parts.module.css'
import * as personLink from '../kit/links.module.css'
import * as styles from './topups.module.css'

const REPORTERS = {
  page: 'the person’s browser',
  webhook: 'the processor’s webhook',
  sweeper: 'the periodic check with the processor',
  command: 'a command run by an operator',
}

export function TopupPage({ id }: { id: string }) {
  const { call } = usePage()
  const {
    response: topup,
    refusal,
    reload,
  } = useRead(id, () => call('GET /api/admin/topups/one', { id }))
  const [done, setDone] = useState('')
  if (refusal && !refusal.offline && refusal.code === 'NOT_FOUND') return <NotFound />
  return (
    <div class={parts.section}>
      <Link class={parts.back} to={paths.topups}>
        <BackIcon />
        Top-ups
      </Link>
      <TopupHead
        topup={topup}
        onDone={async (text) => {
          await reload()
          setDone(text)
        }}
      />
      {done && <Done key={done} text={done} takesFocus />}
      {refusal && <ReadFailed retry={reload} />}
      {topup && (
        <>
          <StateNotice topup={topup} />
          <div class={detail.columns}>
            <div class={parts.partStack}>
              <section class={parts.part}>
                <h2>Payment</h2>
                <TopupFacts topup={topup} />
              </section>
              {topup.state === 'credited' && <TopupRefunds topup={topup} />}
              {topup.disputes.length > 0 && <TopupDisputes topup={topup} />}
            </div>
            <TopupFigures topup={topup} />
          </div>
        </>
      )}
    </div>
  )
}

interface TopupHeadProps {
  topup: Topup | null
  onDone: (text: string) => Promise<void>
}

function TopupHead({ topup, onDone }: TopupHeadProps) {
  const { money } = usePage()
  const mayRefund = useMay('operator')
  const [isAsking, setIsAsking] = useState(false)
  return (
    <div class={parts.sectionHead}>
      <div class={parts.appTitle}>
        <h1 class={parts.sectionTitle} tabIndex={-1}>
          {topup ? (
            `Top-up of ${money.plain(topup.amount, topup.currency)}`
          ) : (
            <TextPlaceholder length={16} />
          )}
          {!topup && <span class={base.visuallyHidden}>Loading …</span>}
        </h1>
        {topup && <TopupState topup={topup} />}
      </div>
      {topup && mayRefund && maxRefundable(topup) > 0 && (
        <Button kind="secondary" onClick={() => setIsAsking(true)}>
          Refund
        </Button>
      )}
      {topup && isAsking && (
        <RefundDialog
          topup={topup}
          onClose={() => setIsAsking(false)}
          onDone={async (text) => {
            setIsAsking(false)
            await onDone(text)
          }}
        />
      )}
    </div>
  )
}

function StateNotice({ topup: { state, refusal } }: { topup: Topup }) {
  if (refusal !== null)
    return (
      <Notice kind="warning">
        This top-up was paid, but the wallet could not accept it ({refusal}). Refund it at the card
        processor.
      </Notice>
    )
  return state === 'credited' ? null : (
    <Notice kind="info">
      {state === 'open'
        ? 'Not paid yet. It is credited automatically when it is paid, and canceled after a day without payment.'
        : 'This top-up was canceled at the processor and can no longer be paid. No money moved.'}
    </Notice>
  )
}

function TopupFacts({ topup }: { topup: Topup }) {
  const { intentId, endedAt, reportedBy, state, clientApp } = topup
  const rows: [string, ComponentChildren][] = [
    ['Person', <PersonLink key="person" person={topup.person} />],
    [
      'Started in',
      clientApp ? (
        <Link key="app" class={personLink.personLink} to={paths.app(clientApp.clientId)}>
          {clientApp.name}
        </Link>
      ) : (
        'Account page'
      ),
    ],
    ['Payment intent', intentId && <Copyable text={intentId} what="Payment intent" />],
    ['Started (UTC)', formatUtc(topup.createdAt)],
    [state === 'credited' ? 'Credited (UTC)' : 'Canceled (UTC)', endedAt && formatUtc(endedAt)],
    ['Reported by', reportedBy && REPORTERS[reportedBy]],
    ['Next check (UTC)', topup.nextCheckAt && formatUtc(topup.nextCheckAt)],
    ['Top-up ID', <Copyable key="id" text={topup.id} what="Top-up ID" />],
  ]
  return (
    <>
      <Facts rows={rows} />
      <p class={styles.links}>
        {intentId && (
          <Link class={personLink.personLink} to={paths.operation(SERVICE, 'TOPUP', intentId)}>
            Show the operation
          </Link>
        )}
        <Link class={personLink.personLink} to={`${paths.audit}?search=${topup.id}`}>
          Audit log of this top-up
        </Link>
      </p>
    </>
  )
}
