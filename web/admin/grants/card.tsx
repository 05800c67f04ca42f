/** An open request, with the actions that this operator can take. */
import { useContext, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import type { MoneyFormat } from '../../ui/format-money.ts'
import { Approve, Decline } from './decide.tsx'
import { Changes, namedAmount, shownAmount, subjectOf, SubjectLink, GRANT_KINDS } from './parts.tsx'
import { Badge } from '../kit/badge.tsx'
import type { Grant } from '../calls.ts'
import { formatAge, formatUtc } from '../kit/format-time.ts'
import { Approvers } from '../kit/grant-result.tsx'
import { OperatorContext, useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './grants.module.css'

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
          {shownAmount(grant, money)} <Badge>{GRANT_KINDS[kind]}</Badge>
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
        Proposed by {proposedBy},{' '}
        <time dateTime={proposedAt} title={`${formatUtc(proposedAt)} UTC`}>
          {formatAge(proposedAt, new Date())} ago
        </time>
      </p>
      {status === 'open' && <Decision grant={grant} onDone={onDone} />}
      {status === 'approved' && <p class={base.muted}>Being posted</p>}
    </li>
  )
}

function explainRaise({ amount, currency }: Grant, money: MoneyFormat): string {
  return amount === null
    ? 'The app can then credit any amount. You cannot set a limit again later.'
    : `Raises the limit by ${money.plain(amount, currency)}.`
}

function Decision({ grant, onDone }: GrantCardProps) {
  const { money } = usePage()
  const mayDecide = useMay('operator')
  const me = useContext(OperatorContext)
  const [asked, setAsked] = useState<'approve' | 'decline' | null>(null)
  const { approvalBlockedBy, approvers } = grant
  const isOwn = approvalBlockedBy === 'own'
  const named = (action: string) => `${action}: ${namedAmount(grant, money)}, ${subjectOf(grant)}`
  const decline = isOwn ? 'Withdraw' : 'Reject'
  const close = () => setAsked(null)
  return (
    <>
      {approvalBlockedBy && (
        <div class={styles.grantBlocked}>
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
              <span aria-hidden="true">Approve</span>
              <span class={base.visuallyHidden}>{named('Approve')}</span>
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
  switch (approvalBlockedBy) {
    case 'role':
      return 'Your role does not allow you to approve requests.'
    case 'own':
      return 'You proposed this, so another operator must approve it.'
    case 'proposer_inactive':
      return `This can no longer be approved: ${proposedBy} is inactive or is no longer allowed to move money. Reject it, and propose it yourself if it is correct.`
    case 'person_gone':
      return 'This can no longer be approved: the person has deleted the account. Reject it to close the request.'
    case 'related': {
      if (sharedWith === proposedBy)
        return `You cannot approve this: ${proposedBy} added you or reset your authenticator, directly or through others, and could therefore act as you.`
      return sharedWith === me
        ? `You cannot approve this: you added ${proposedBy} or reset their authenticator, directly or through others, and could therefore act as them.`
        : `You cannot approve this: ${sharedWith ?? ''} added both you and ${proposedBy} or reset both authenticators, directly or through others, and could therefore act as both.`
    }
    case null:
      return ''
  }
}
