/** A new secret: shown once, or waiting for a second operator. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { NewSecret } from '../calls.ts'
import { notifyGrantsChanged } from '../kit/approvals-count.tsx'
import { CopyRow, Snippet } from '../kit/copy.tsx'
import { WaitsForApproval } from '../kit/grant-result.tsx'
import { readServiceUrl } from './read-service-url.ts'
import { writeEnv } from './snippets.ts'
import type { TabProps } from '../kit/app-tabs.tsx'
import { SAVE_SECRET } from './created.tsx'
import * as dialog from '../../ui/dialog.module.css'

export const SECOND_OPERATOR_HINT =
  'This app is in use, so a second operator must approve the rotation before you can see a new secret.'

/** The dialog with the outcome, once there is one, and what to do with the response. */
export function useRotation({ app, reload }: TabProps, waits: string, onClose: () => void) {
  const [outcome, setOutcome] = useState<NewSecret | null>(null)
  const outcomeDialog = outcome && (
    <OutcomeDialog clientId={app.clientId} outcome={outcome} waits={waits} onClose={onClose} />
  )
  async function showOutcome(response: NewSecret) {
    setOutcome(response)
    if (response.clientSecret === null) notifyGrantsChanged()
    else await reload()
  }
  return [outcomeDialog, showOutcome] as const
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
      <ResultDialog title="Waiting for a second operator" close="Close" onClose={onClose}>
        <WaitsForApproval text={waits} approvers={approvers} />
      </ResultDialog>
    )
  }
  return (
    <ResultDialog title="The new secret" close="I have saved it" onClose={onClose}>
      <Notice kind="warning">{SAVE_SECRET}</Notice>
      <CopyRow label="clientSecret" text={clientSecret} />
      <Snippet
        title="Environment (.env)"
        text={writeEnv(readServiceUrl(), clientId, clientSecret)}
      />
    </ResultDialog>
  )
}

interface ResultDialogProps {
  title: string
  close: string
  onClose: () => void
  children: ComponentChildren
}

function ResultDialog({ title, close, onClose, children }: ResultDialogProps) {
  return (
    <Dialog key="result" title={title} isBusy={false} onClose={onClose}>
      {children}
      <div class={dialog.actions}>
        <Button onClick={onClose}>{close}</Button>
      </div>
    </Dialog>
  )
}
