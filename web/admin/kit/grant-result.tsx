import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { GrantOutcome } from '../calls.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from './links.tsx'
import * as base from '../../ui/base.module.css'
import * as dialog from '../../ui/dialog.module.css'
import * as parts from './parts.module.css'

interface GrantResultProps {
  outcome: GrantOutcome
  onClose: () => void
}

export function GrantResult({ outcome, onClose }: GrantResultProps) {
  const { money } = usePage()
  const { status, balance, currency, approvers } = outcome
  if (status === 'open') {
    return (
      <Dialog key="done" title="Waiting for a second operator" isBusy={false} onClose={onClose}>
        <p>
          Together with the last 24 hours, this exceeds the 24-hour threshold, so nothing is posted
          yet.
        </p>
        <Approvers emails={approvers} />
        <div class={dialog.actions}>
          <ButtonLink kind="secondary" to={paths.approvals}>
            Go to approvals
          </ButtonLink>
          <Button onClick={onClose}>Done</Button>
        </div>
      </Dialog>
    )
  }
  const title = balance === null ? 'Declined' : 'Posted'
  return (
    <Dialog key="done" title={title} isBusy={false} onClose={onClose}>
      <p>
        {balance === null
          ? 'This request was declined in the meantime. Nothing was posted.'
          : `The balance is now ${money.plain(balance, currency)}.`}
      </p>
      <div class={dialog.actions}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  )
}

/** Lists the operators who can approve, or explains what to do if there are none. */
export function Approvers({ emails }: { emails: readonly string[] }) {
  if (emails.length === 0)
    return (
      <Notice kind="warning">
        Nobody can approve this at the moment. Every other operator was added by the same person,
        had their authenticator reset by that person, or is not allowed to move money. With access
        to the server, add an independent operator: coffer operator create.
      </Notice>
    )
  return <p class={base.muted}>Can be approved by {listOf(emails)}.</p>
}

interface WaitsForApprovalProps {
  /** What applies until then. */
  text: string
  approvers: readonly string[]
}

/** Shown when a change of a client app waits for a second operator. */
export function WaitsForApproval({ text, approvers }: WaitsForApprovalProps) {
  return (
    <>
      <Notice kind="warning">{text}</Notice>
      <Approvers emails={approvers} />
      <div class={parts.row}>
        <ButtonLink kind="secondary" to={paths.approvals}>
          Go to approvals
        </ButtonLink>
      </div>
    </>
  )
}

const NAMED_MAX = 3

/** "a, b, or c"; more than three are counted. */
function listOf(emails: readonly string[]): string {
  const more = emails.length - NAMED_MAX
  const named = emails.slice(0, NAMED_MAX)
  if (more > 0) named.push(more === 1 ? '1 other' : `${more} others`)
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(named)
}
