import { useState } from 'preact/hooks'
import { useBusy } from '../../ui/use-busy.ts'
import { FormFault } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { explainInOne } from '../explain-refusal.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import type { Passkey } from '../calls.ts'

const texts = words.removePasskey

interface RemovePasskeyProps {
  passkey: Passkey
  isLast: boolean
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function RemovePasskey({ passkey, isLast, onClose, onDone }: RemovePasskeyProps) {
  const { call } = usePage()
  const { id, name } = passkey
  const [fault, setFault] = useState('')
  const [isBusy, remove] = useBusy(async () => {
    setFault('')
    const result = await call('POST /api/admin/sign-in/passkeys/remove', { id })
    if (result.ok) await onDone(words.passkeys.removed(name))
    else setFault(explainInOne(result))
  })
  return (
    <Dialog title={texts.title(name)} isBusy={isBusy} isDanger onClose={onClose}>
      <p>{texts.text}</p>
      {isLast && <p>{texts.last}</p>}
      <FormFault text={fault} />
      <DialogActions
        cancel={words.cancel}
        submit={words.passkeys.remove}
        isBusy={isBusy}
        onSubmit={remove}
      />
    </Dialog>
  )
}
