/** The secret of a webhook: shown once, and replaced. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FormError, Notice } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { Overlap } from '../calls.ts'
import { explainAsText } from '../explain-refusal.ts'
import { CopyRow, Snippet } from '../kit/copy.tsx'
import { OverlapChoice } from '../kit/overlap-choice.tsx'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as dialog from '../../ui/dialog.module.css'

const OVERLAP_HINTS = {
  none: 'The secret has leaked. The receiver rejects events until it uses the new one; they are sent again.',
  '1h': 'You deploy the new secret right away.',
  '24h': 'Enough for a normal release. No event is rejected in the meantime.',
  '7d': 'Another team or company has to deploy it.',
}

interface SecretDialogProps {
  secret: string
  onClose: () => void
}

export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  return (
    <Dialog key="secret" title="The secret of the webhook" isBusy={false} onClose={onClose}>
      <Notice kind="warning">Save the secret now in a secret store. It is not shown again.</Notice>
      <CopyRow label="secret" text={secret} />
      <Snippet title="For the environment of the app" text={`COFFER_WEBHOOK_SECRET=${secret}`} />
      <div class={dialog.actions}>
        <Button onClick={onClose}>I have saved it</Button>
      </div>
    </Dialog>
  )
}

interface RotateProps {
  clientId: string
  webhookId: string
  reload: () => Promise<void>
  onClose: () => void
}

export function RotateSecretDialog({ clientId, webhookId, reload, onClose }: RotateProps) {
  const { call } = usePage()
  const [overlap, setOverlap] = useState<Overlap>('24h')
  const [secret, setSecret] = useState<string | null>(null)
  const [error, setError] = useState('')
  const [isBusy, rotate] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/admin/webhooks/rotate', { clientId, webhookId, overlap })
    if (!result.ok) return setError(explainAsText(result))
    setSecret(result.data.secret)
    await reload()
  })
  if (secret) return <SecretDialog secret={secret} onClose={onClose} />
  return (
    <Dialog key="ask" title="Rotate the secret of the webhook" isBusy={isBusy} onClose={onClose}>
      <p class={base.muted}>
        During the overlap, requests are signed with both secrets, so that no event is rejected.
      </p>
      <OverlapChoice overlap={overlap} hints={OVERLAP_HINTS} onChange={setOverlap} />
      <FormError text={error} />
      <DialogActions cancel="Cancel" submit="Rotate" isBusy={isBusy} onSubmit={rotate} />
    </Dialog>
  )
}
