import { useState } from 'preact/hooks'
import { useBusy } from '../../ui/use-busy.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { Secret } from '../calls.ts'
import { explainAsText } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'

interface RevokeDialogProps {
  clientId: string
  secret: Secret
  isLast: boolean
  onClose: () => void
  onDone: () => Promise<void>
}

export function RevokeDialog({ clientId, secret, isLast, onClose, onDone }: RevokeDialogProps) {
  const { call } = usePage()
  const [error, setError] = useState('')
  const [isBusy, revoke] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/admin/client-apps/revoke', {
      clientId,
      secretId: secret.id,
    })
    if (result.ok) await onDone()
    else setError(explainAsText(result))
  })
  return (
    <Dialog title={`Revoke secret ${secret.id}?`} isBusy={isBusy} isDestructive onClose={onClose}>
      <p>
        {isLast
          ? 'This is the only valid secret. Within a second, every call of this app is refused until you rotate and deploy a new secret. This cannot be undone.'
          : 'It stops working within a second. This cannot be undone.'}
      </p>
      <FormError text={error} />
      <DialogActions cancel="Cancel" submit="Revoke now" isBusy={isBusy} onSubmit={revoke} />
    </Dialog>
  )
}
