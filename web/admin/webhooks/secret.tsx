/** The secret of a webhook: shown once, and replaced. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FormFault, Notice } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { Overlap } from '../calls.ts'
import { explainInOne } from '../explain-refusal.ts'
import { CopyRow, Snippet } from '../kit/copy.tsx'
import { OverlapChoice } from '../kit/overlap-choice.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as dialog from '../../ui/dialog.module.css'

const texts = words.webhookSecret

interface SecretDialogProps {
  secret: string
  onClose: () => void
}

export function SecretDialog({ secret, onClose }: SecretDialogProps) {
  return (
    <Dialog key="secret" title={texts.title} isBusy={false} onClose={onClose}>
      <Notice kind="warning">{texts.once}</Notice>
      <CopyRow label="secret" text={secret} />
      <Snippet title={texts.env} text={`COFFER_WEBHOOK_SECRET=${secret}`} />
      <div class={dialog.answers}>
        <Button onClick={onClose}>{texts.stored}</Button>
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
  const [fault, setFault] = useState('')
  const [isBusy, rotate] = useBusy(async () => {
    setFault('')
    const result = await call('POST /api/admin/webhooks/rotate', { clientId, webhookId, overlap })
    if (!result.ok) return setFault(explainInOne(result))
    setSecret(result.data.secret)
    await reload()
  })
  if (secret) return <SecretDialog secret={secret} onClose={onClose} />
  return (
    <Dialog key="ask" title={texts.rotateTitle} isBusy={isBusy} onClose={onClose}>
      <p class={base.muted}>{texts.rotateText}</p>
      <OverlapChoice overlap={overlap} hints={texts.hints} onChange={setOverlap} />
      <FormFault text={fault} />
      <DialogActions
        cancel={words.cancel}
        submit={texts.submit}
        isBusy={isBusy}
        onSubmit={rotate}
      />
    </Dialog>
  )
}
