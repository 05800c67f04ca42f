import { useState } from 'preact/hooks'
import { useBusy } from '../../ui/use-busy.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { explainAsText } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'
import type { Passkey } from '../calls.ts'

interface RemovePasskeyProps {
  passkey: Passkey
  isLast: boolean
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function RemovePasskey({ passkey, isLast, onClose, onDone }: RemovePasskeyProps) {
  const { call } = usePage()
  const { id, name } = passkey
  const [error, setError] = useState('')
  const [isBusy, remove] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/admin/sign-in/passkeys/remove', { id })
    if (result.ok) await onDone(`Passkey removed: ${name}.`)
    else setError(explainAsText(result))
  })
  return (
    <Dialog title={`Remove ${name}?`} isBusy={isBusy} isDestructive onClose={onClose}>
      <p>You can no longer log in with it. You can also delete it on the device.</p>
      {isLast && <p>This is your only passkey. Without it, you log in with password and code.</p>}
      <FormError text={error} />
      <DialogActions cancel="Cancel" submit="Remove" isBusy={isBusy} onSubmit={remove} />
    </Dialog>
  )
}
