import type { ComponentChildren } from 'preact'
import type { Dispute, Topup } from '../calls.ts'
import { Copyable, Facts } from '../kit/facts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { formatUtc } from '../kit/format-utc.ts'
import { DisputeBadge } from './state.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './topups.module.css'

const texts = words.disputes

export function TopupDisputes({ topup }: { topup: Topup }) {
  return (
    <section class={parts.part}>
      <h2>{texts.title}</h2>
      {topup.disputes.map((dispute) => (
        <DisputeCard key={dispute.id} dispute={dispute} currency={topup.currency} />
      ))}
    </section>
  )
}

function DisputeCard({ dispute, currency }: { dispute: Dispute; currency: string }) {
  const { money } = usePage()
  const { names } = texts
  const needsAnswer = dispute.status.endsWith('needs_response') && dispute.respondBy !== null
  const toMoney = (amount: number) => money.plain(Math.abs(amount), currency)
  const rows: [string, ComponentChildren][] = [
    [
      names.withdrawn,
      dispute.withdrawn.length === 0
        ? texts.nothingMoved
        : dispute.withdrawn.map(({ at, balance, debt }) => (
            <Movement
              key={at}
              at={at}
              sums={[
                balance !== 0 && texts.fromBalance(toMoney(balance)),
                debt !== 0 && texts.asDebt(toMoney(debt)),
              ]}
            />
          )),
    ],
    [
      names.reinstated,
      dispute.reinstated.length > 0 &&
        dispute.reinstated.map(({ at, balance, debt }) => (
          <Movement
            key={at}
            at={at}
            sums={[
              debt !== 0 && texts.offDebt(toMoney(debt)),
              balance !== 0 && texts.toBalance(toMoney(balance)),
            ]}
          />
        )),
    ],
    [names.reason, dispute.reason.replaceAll('_', ' ')],
    [names.opened, formatUtc(dispute.openedAt)],
    [names.respondBy, needsAnswer && dispute.respondBy && formatUtc(dispute.respondBy)],
    [names.id, <Copyable key="id" text={dispute.id} what={names.id} />],
  ]
  return (
    <div class={styles.dispute}>
      <p class={styles.disputeHead}>
        <strong>{texts.of(toMoney(dispute.amount))}</strong>
        <DisputeBadge status={dispute.status} />
      </p>
      <Facts rows={rows} />
      {needsAnswer && <p class={`${base.muted} ${parts.small}`}>{texts.response}</p>}
    </div>
  )
}

function Movement({ at, sums }: { at: string; sums: (string | false)[] }) {
  return (
    <span class={styles.movement}>
      {sums.filter(Boolean).join(', ')}
      <span class={base.muted}>{texts.at(formatUtc(at))}</span>
    </span>
  )
}
