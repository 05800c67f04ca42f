/** An open request, with the actions that this operator can take. */
import { useContext, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import type { MoneyFormat } from '../../ui/format-money.ts'
import { Approve, Decline } from './decide.tsx'
import { Changes, namedAmount, shownAmount, subjectOf, SubjectLink } from './parts.tsx'
import { Badge } from '../kit/badge.tsx'
import type { Grant } from '../calls.ts'
import { formatAge } from '../kit/format-age.ts'
import { words } from '../messages.ts'
import { Approvers } from '../kit/money-result.tsx'
import { OperatorContext, useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { formatUtc } from '../kit/format-utc.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './grants.module.css'

const texts = words.approvals

interface GrantCardProps {
  grant: Grant
  onDone: (text: string) => Promise<void>
}

export function GrantCard({ grant, onDone }: GrantCardProps) {
  const { money } = usePage()
  const { kind, reason, status, proposedBy, proposedAt } = grant
  return (
    <li class={styles.grant} data-row={grant.id}>
      <div class={styles.grantHead}>
        <p class={styles.grantAmount}>
          {shownAmount(grant, money)} <Badge>{words.grantKinds[kind]}</Badge>
        </p>
        <p class={styles.grantPerson}>
          <SubjectLink grant={grant} />
        </p>
      </div>
      <p class={styles.grantReason} dir="auto">
        {reason}
      </p>
      {kind === 'credit_limit' && <p class={base.muted}>{explainRaise(grant, money)}</p>}
      <Changes grant={grant} />
      <p class={base.muted}>
        {texts.proposed(proposedBy)},{' '}
        <time dateTime={proposedAt} title={`${formatUtc(proposedAt)} UTC`}>
          {texts.age(formatAge(proposedAt, new Date()))}
        </time>
      </p>
      {status === 'open' && <Decision grant={grant} onDone={onDone} />}
      {status === 'approved' && <p class={base.muted}>{texts.beingPosted}</p>}
    </li>
  )
}

function explainRaise({ amount, currency }: Grant, money: MoneyFormat): string {
  const { raised, removed } = texts.limit
  return amount === null ? removed : raised(money.plain(amount, currency))
}

function Decision({ grant, onDone }: GrantCardProps) {
  const { money } = usePage()
  const mayDecide = useMay('operator')
  const me = useContext(OperatorContext)
  const [asked, setAsked] = useState<'approve' | 'decline' | null>(null)
  const { approvalBlockedBy, approvers } = grant
  const isOwn = approvalBlockedBy === 'own'
  const named = (action: string) => texts.named(action, namedAmount(grant, money), subjectOf(grant))
  const decline = isOwn ? texts.withdraw : texts.reject
  const close = () => setAsked(null)
  return (
    <>
      {approvalBlockedBy && (
        <div class={styles.grantHindrance}>
          <p>{explainBlock(grant, me.email)}</p>
          {approvalBlockedBy !== 'proposer_inactive' && approvalBlockedBy !== 'person_gone' && (
            <Approvers emails={approvers} />
          )}
        </div>
      )}
      {mayDecide && (
        <div class={parts.row}>
          {!approvalBlockedBy && (
            <Button onClick={() => setAsked('approve')}>
              <span aria-hidden="true">{texts.approve}</span>
              <span class={base.visuallyHidden}>{named(texts.approve)}</span>
            </Button>
          )}
          <Button kind="secondary" onClick={() => setAsked('decline')}>
            <span aria-hidden="true">{decline}</span>
            <span class={base.visuallyHidden}>{named(decline)}</span>
          </Button>
        </div>
      )}
      {asked === 'approve' && <Approve grant={grant} onDone={onDone} onClose={close} />}
      {asked === 'decline' && <Decline grant={grant} onDone={onDone} onClose={close} />}
    </>
  )
}

function explainBlock({ approvalBlockedBy, proposedBy, sharedWith }: Grant, me: string): string {
  const { role, own, proposer_inactive, person_gone, byThem, byYou, byBoth } = texts.blocks
  switch (approvalBlockedBy) {
    case 'role':
      return role
    case 'own':
      return own
    case 'proposer_inactive':
      return proposer_inactive(proposedBy)
    case 'person_gone':
      return person_gone
    case 'related': {
      if (sharedWith === proposedBy) return byThem(proposedBy)
      return sharedWith === me ? byYou(proposedBy) : byBoth(proposedBy, sharedWith ?? '')
    }
    case null:
      return ''
  }
}
