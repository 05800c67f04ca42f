import { useState } from 'preact/hooks'
import { useBusy } from '../../ui/use-busy.ts'
import { FormFault } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { Secret } from '../calls.ts'
import { explainInOne } from '../explain-refusal.ts'
import { words } from '../messages.ts'
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
  const [fault, setFault] = useState('')
  const [isBusy, revoke] = useBusy(async () => {
    setFault('')
    const result = await call('POST /api/admin/client-apps/revoke', {
      clientId,
      secretId: secret.id,
    })
    if (result.ok) await onDone()
    else setFault(explainInOne(result))
  })
  return (
    <Dialog title={words.revoke.title(secret.id)} isBusy={isBusy} isDanger onClose={onClose}>
      <p>{isLast ? words.revoke.last : words.revoke.text}</p>
      <FormFault text={fault} />
      <DialogActions
        cancel={words.cancel}
        submit={words.secrets.revoke}
        isBusy={isBusy}
        onSubmit={revoke}
      />
    </Dialog>
  )
}
