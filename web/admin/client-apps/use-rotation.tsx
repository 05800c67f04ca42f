/** A new secret: shown once, or waiting for a second operator. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { NewSecret } from '../calls.ts'
import { notifyGrantsChanged } from '../kit/approvals-count.tsx'
import { CopyRow, Snippet } from '../kit/copy.tsx'
import { words } from '../messages.ts'
import { LimitWaits } from '../kit/money-result.tsx'
import { writeEnv } from './snippets.ts'
import type { TabProps } from './tab.ts'
import * as dialog from '../../ui/dialog.module.css'

/** The dialog with the outcome, once there is one, and what to do with the response. */
export function useRotation({ app, reload }: TabProps, waits: string, onClose: () => void) {
  const [outcome, setOutcome] = useState<NewSecret | null>(null)
  const dialogOfOutcome = outcome && (
    <OutcomeDialog clientId={app.clientId} outcome={outcome} waits={waits} onClose={onClose} />
  )
  async function take(response: NewSecret) {
    setOutcome(response)
    if (response.clientSecret === null) notifyGrantsChanged()
    else await reload()
  }
  return [dialogOfOutcome, take] as const
}

interface OutcomeProps {
  clientId: string
  outcome: NewSecret
  waits: string
  onClose: () => void
}

function OutcomeDialog({ clientId, outcome, waits, onClose }: OutcomeProps) {
  const { clientSecret, approvers } = outcome
  if (clientSecret === null) {
    return (
      <Answer title={words.rotation.waitsTitle} close={words.rotation.close} onClose={onClose}>
        <LimitWaits text={waits} approvers={approvers} />
      </Answer>
    )
  }
  return (
    <Answer title={words.rotate.doneTitle} close={words.rotate.stored} onClose={onClose}>
      <Notice kind="warning">{words.created.once}</Notice>
      <CopyRow label="clientSecret" text={clientSecret} />
      <Snippet title={words.created.env} text={writeEnv(clientId, clientSecret)} />
    </Answer>
  )
}

interface AnswerProps {
  title: string
  close: string
  onClose: () => void
  children: ComponentChildren
}

function Answer({ title, close, onClose, children }: AnswerProps) {
  return (
    <Dialog key="answer" title={title} isBusy={false} onClose={onClose}>
      {children}
      <div class={dialog.answers}>
        <Button onClick={onClose}>{close}</Button>
      </div>
    </Dialog>
  )
}
