import { useState } from 'preact/hooks'
import { useBusy } from '../../ui/use-busy.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { ClientApp } from '../calls.ts'
import { explainAsText } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'

interface ReplaceDialogProps {
  app: ClientApp
  onClose: () => void
  onDone: (contacts: readonly string[]) => Promise<void>
}

/** The emergency rotation: no operator sees the new secret. */
export function ReplaceDialog({ app, onClose, onDone }: ReplaceDialogProps) {
  const { call } = usePage()
  const { clientId, contactEmails } = app
  const [error, setError] = useState('')
  const [isBusy, replace] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/admin/client-apps/replace-secret', { clientId })
    if (result.ok) await onDone(result.data.contacts)
    else setError(explainAsText(result))
  })
  return (
    <Dialog title="Replace a leaked secret now?" isBusy={isBusy} isDestructive onClose={onClose}>
      <p>
        All secrets of this app stop working within a second, so its calls are refused. The contacts
        get a link that shows the new secret once. You do not see it, so no second operator is
        needed.
      </p>
      <p>
        {contactEmails.length > 0
          ? `The link goes to ${contactEmails.join(', ')}.`
          : 'This app has no contacts, so nobody can receive the new secret. Revoke the secret instead.'}
      </p>
      <FormError text={error} />
      <DialogActions cancel="Cancel" submit="Replace now" isBusy={isBusy} onSubmit={replace} />
    </Dialog>
  )
}
