import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { GrantOutcome } from '../calls.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { ButtonLink } from './button-link.tsx'
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
  const texts = words.grant
  if (status === 'open') {
    return (
      <Dialog key="done" title={texts.waitingTitle} isBusy={false} onClose={onClose}>
        <p>{texts.waiting}</p>
        <Approvers emails={approvers} />
        <div class={dialog.answers}>
          <ButtonLink kind="secondary" to={paths.approvals}>
            {texts.approvals}
          </ButtonLink>
          <Button onClick={onClose}>{texts.done}</Button>
        </div>
      </Dialog>
    )
  }
  const title = balance === null ? texts.declinedTitle : texts.postedTitle
  return (
    <Dialog key="done" title={title} isBusy={false} onClose={onClose}>
      <p>{balance === null ? texts.declined : texts.posted(money.plain(balance, currency))}</p>
      <div class={dialog.answers}>
        <Button onClick={onClose}>{texts.done}</Button>
      </div>
    </Dialog>
  )
}

/** Lists the operators who can approve, or explains what to do if there are none. */
export function Approvers({ emails }: { emails: readonly string[] }) {
  if (emails.length === 0) return <Notice kind="warning">{words.approvers.none}</Notice>
  return <p class={base.muted}>{words.approvers.some(emails)}</p>
}

interface LimitWaitsProps {
  /** What applies until then. */
  text: string
  approvers: readonly string[]
}

/** Shown when a change of a client app waits for a second operator. */
export function LimitWaits({ text, approvers }: LimitWaitsProps) {
  return (
    <>
      <Notice kind="warning">{text}</Notice>
      <Approvers emails={approvers} />
      <div class={parts.row}>
        <ButtonLink kind="secondary" to={paths.approvals}>
          {words.grant.approvals}
        </ButtonLink>
      </div>
    </>
  )
}
