import { useState } from 'preact/hooks'
import { Notice, FormError } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { TabProps } from '../kit/app-tabs.tsx'
import type { Overlap, Restriction } from '../calls.ts'
import { explainAsText } from '../explain-refusal.ts'
import { OverlapChoice } from '../kit/overlap-choice.tsx'
import { usePage } from '../page-context.ts'
import { useRotation, SECOND_OPERATOR_HINT } from './use-rotation.tsx'
import * as base from '../../ui/base.module.css'

const OVERLAP_HINTS = {
  none: 'The secret has leaked. Calls fail immediately until the app uses the new one.',
  '1h': 'You deploy the new secret right away.',
  '24h': 'Enough for a normal release. No calls fail in the meantime.',
  '7d': 'Another team or company has to deploy it.',
}

interface RotateDialogProps extends TabProps {
  /** The restriction of the secret that is rotated; null: none. The new secret gets the same. */
  restriction: Restriction | null
  /** Whether two secrets are valid. The rotation then revokes the older one immediately. */
  hasTwo: boolean
  onClose: () => void
}

export function RotateDialog({ app, reload, restriction, hasTwo, onClose }: RotateDialogProps) {
  const { call } = usePage()
  const { clientId } = app
  const [overlap, setOverlap] = useState<Overlap>('24h')
  const [error, setError] = useState('')
  const [outcome, showOutcome] = useRotation(
    { app, reload },
    'Nothing has changed yet. When the rotation is approved, rotate the secret here again within 24 hours to see it.',
    onClose,
  )
  const [isBusy, rotate] = useBusy(async () => {
    setError('')
    const input = { clientId, overlap, ...(restriction && { restriction }) }
    const result = await call('POST /api/admin/client-apps/rotate', input)
    if (result.ok) await showOutcome(result.data)
    else setError(explainAsText(result))
  })
  if (outcome) return outcome
  const title = restriction ? `Rotate the secret ${restriction.name}` : 'Rotate the secret'
  return (
    <Dialog key="ask" title={title} isBusy={isBusy} onClose={onClose}>
      <p class={base.muted}>This creates a new secret. Choose how long the old one stays valid.</p>
      {hasTwo && (
        <Notice kind="warning">
          Two secrets are currently valid. The older one expires immediately.
        </Notice>
      )}
      {app.isInUse && <p class={base.muted}>{SECOND_OPERATOR_HINT}</p>}
      <OverlapChoice overlap={overlap} hints={OVERLAP_HINTS} onChange={setOverlap} />
      <FormError text={error} />
      <DialogActions cancel="Cancel" submit="Rotate" isBusy={isBusy} onSubmit={rotate} />
    </Dialog>
  )
}
