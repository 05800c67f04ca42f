import { useState } from 'preact/hooks'
import { useBusy } from '../../ui/use-busy.ts'
import { FormFault } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { ClientApp } from '../calls.ts'
import { explainInOne } from '../explain-refusal.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'

const texts = words.replace

interface ReplaceDialogProps {
  app: ClientApp
  onClose: () => void
  onDone: (contacts: readonly string[]) => Promise<void>
}

/** The emergency rotation: no operator sees the new secret. */
export function ReplaceDialog({ app, onClose, onDone }: ReplaceDialogProps) {
  const { call } = usePage()
  const { clientId, contactEmails } = app
  const [fault, setFault] = useState('')
  const [isBusy, replace] = useBusy(async () => {
    setFault('')
    const result = await call('POST /api/admin/client-apps/replace-secret', { clientId })
    if (result.ok) await onDone(result.data.contacts)
    else setFault(explainInOne(result))
  })
  return (
    <Dialog title={texts.title} isBusy={isBusy} isDanger onClose={onClose}>
      <p>{texts.text}</p>
      <p>{contactEmails.length > 0 ? texts.contacts(contactEmails) : texts.none}</p>
      <FormFault text={fault} />
      <DialogActions cancel={words.cancel} submit={texts.open} isBusy={isBusy} onSubmit={replace} />
    </Dialog>
  )
}
