import type { ComponentChildren } from 'preact'
import type { Dispute, Topup } from '../calls.ts'
import { Copyable, Facts } from '../kit/facts.tsx'
import { usePage } from '../page-context.ts'
import { formatUtc } from '../kit/format-time.ts'
import { DisputeBadge } from './state.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './topups.module.css'

export function TopupDisputes({ topup }: { topup: Topup }) {
  return (
    <section class={parts.part}>
      <h2>Disputes</h2>
      {topup.disputes.map((dispute) => (
        <DisputeCard key={dispute.id} dispute={dispute} currency={topup.currency} />
      ))}
    </section>
  )
}

function DisputeCard({ dispute, currency }: { dispute: Dispute; currency: string }) {
  const { money } = usePage()
  const needsAnswer = dispute.status.endsWith('needs_response') && dispute.respondBy !== null
  const toMoney = (amount: number) => money.plain(Math.abs(amount), currency)
  const rows: [string, ComponentChildren][] = [
    [
      'Withdrawn',
      dispute.withdrawn.length === 0
        ? 'No money has moved.'
        : dispute.withdrawn.map(({ at, balance, debt }) => (
            <Movement
              key={at}
              at={at}
              sums={[
                balance !== 0 && `${toMoney(balance)} from the balance`,
                debt !== 0 && `${toMoney(debt)} became a debt`,
              ]}
            />
          )),
    ],
    [
      'Returned',
      dispute.reinstated.length > 0 &&
        dispute.reinstated.map(({ at, balance, debt }) => (
          <Movement
            key={at}
            at={at}
            sums={[
              debt !== 0 && `${toMoney(debt)} off the debt`,
              balance !== 0 && `${toMoney(balance)} to the balance`,
            ]}
          />
        )),
    ],
    ['Reason given', dispute.reason.replaceAll('_', ' ')],
    ['Opened (UTC)', formatUtc(dispute.openedAt)],
    ['Respond by (UTC)', needsAnswer && dispute.respondBy && formatUtc(dispute.respondBy)],
    ['Dispute ID', <Copyable key="id" text={dispute.id} what="Dispute ID" />],
  ]
  return (
    <div class={styles.dispute}>
      <p class={styles.disputeHead}>
        <strong>{toMoney(dispute.amount)} disputed</strong>
        <DisputeBadge status={dispute.status} />
      </p>
      <Facts rows={rows} />
      {needsAnswer && (
        <p class={`${base.muted} ${parts.small}`}>
          Submit evidence at the card processor before this time. You cannot respond here.
        </p>
      )}
    </div>
  )
}

function Movement({ at, sums }: { at: string; sums: (string | false)[] }) {
  return (
    <span class={styles.movement}>
      {sums.filter(Boolean).join(', ')}
      <span class={base.muted}>{formatUtc(at)} UTC</span>
    </span>
  )
}
