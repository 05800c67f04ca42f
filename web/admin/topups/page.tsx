/** One top-up: payment, refunds and disputes. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { Done } from '../../ui/done.tsx'
import type { Topup } from '../calls.ts'
import { Copyable, Facts } from '../kit/facts.tsx'
import { BackIcon } from '../kit/icons.tsx'
import { ReadFailed } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { NotFound } from '../not-found.tsx'
import { SERVICE } from '../kit/operation-form.tsx'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { PersonLink } from '../kit/person-link.tsx'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { formatUtc } from '../kit/format-utc.ts'
import { TopupDisputes } from './disputes.tsx'
import { mostRefundable, TopupFigures } from './figures.tsx'
import { RefundDialog } from './refund.tsx'
import { TopupRefunds } from './refunds.tsx'
import { TopupState } from './state.tsx'
import { useRead } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as detail from '../kit/detail.module.css'
import * as parts from '../kit/parts.module.css'
import * as personLink from '../kit/person-link.module.css'
import * as styles from './topups.module.css'

const texts = words.topup

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
        {words.nav.topups}
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
                <h2>{texts.facts}</h2>
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
            texts.title(money.plain(topup.amount, topup.currency))
          ) : (
            <TextPlaceholder length={16} />
          )}
          {!topup && <span class={base.visuallyHidden}>{words.loading}</span>}
        </h1>
        {topup && <TopupState topup={topup} />}
      </div>
      {topup && mayRefund && mostRefundable(topup) > 0 && (
        <Button kind="secondary" onClick={() => setIsAsking(true)}>
          {words.refunds.start}
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
  if (refusal !== null) return <Notice kind="warning">{texts.refusal(refusal)}</Notice>
  return state === 'credited' ? null : <Notice kind="info">{texts[state]}</Notice>
}

function TopupFacts({ topup }: { topup: Topup }) {
  const { intentId, settledAt, settledBy, state, clientApp } = topup
  const { names } = texts
  const rows: [string, ComponentChildren][] = [
    [names.person, <PersonLink key="person" person={topup.person} />],
    [
      names.app,
      clientApp ? (
        <Link key="app" class={personLink.personLink} to={paths.app(clientApp.clientId)}>
          {clientApp.name}
        </Link>
      ) : (
        words.topups.atAccount
      ),
    ],
    [names.intent, intentId && <Copyable text={intentId} what={names.intent} />],
    [names.created, formatUtc(topup.createdAt)],
    [state === 'credited' ? names.credited : names.ended, settledAt && formatUtc(settledAt)],
    [names.settledBy, settledBy && texts.settledBy[settledBy]],
    [names.nextCheck, topup.nextCheckAt && formatUtc(topup.nextCheckAt)],
    [names.id, <Copyable key="id" text={topup.id} what={names.id} />],
  ]
  return (
    <>
      <Facts rows={rows} />
      <p class={styles.links}>
        {intentId && (
          <Link class={personLink.personLink} to={paths.operation(SERVICE, 'TOPUP', intentId)}>
            {texts.books}
          </Link>
        )}
        <Link class={personLink.personLink} to={`${paths.audit}?search=${topup.id}`}>
          {texts.log}
        </Link>
      </p>
    </>
  )
}
