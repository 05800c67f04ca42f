import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice, FormError } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { CodeList, RECOVERY_LEAD } from './recovery.tsx'
import { explainAsText } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as dialog from '../../ui/dialog.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './own-sign-in.module.css'

interface RenewCodesProps {
  left: number
  reload: () => Promise<void>
}

export function RenewCodes({ left, reload }: RenewCodesProps) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <section class={parts.part}>
      <div class={`${parts.partHead} ${styles.head}`}>
        <div>
          <h2>Recovery codes</h2>
          <p class={`${base.muted} ${parts.partLead}`}>{describeCodesLeft(left)}</p>
        </div>
        <Button kind="secondary" onClick={() => setIsAsking(true)}>
          Renew
          <span class={base.visuallyHidden}> recovery codes</span>
        </Button>
      </div>
      {isAsking && <RenewDialog reload={reload} onClose={() => setIsAsking(false)} />}
    </section>
  )
}

interface RenewDialogProps {
  reload: () => Promise<void>
  onClose: () => void
}

function RenewDialog({ reload, onClose }: RenewDialogProps) {
  const { call } = usePage()
  const [codes, setCodes] = useState<string[] | null>(null)
  const [error, setError] = useState('')
  const [isBusy, renew] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/admin/sign-in/recovery-codes')
    if (!result.ok) return setError(explainAsText(result))
    setCodes(result.data.recoveryCodes)
    await reload()
  })
  if (codes) {
    return (
      <Dialog key="done" title="Save your recovery codes" isBusy={false} onClose={onClose}>
        <Notice kind="warning">{RECOVERY_LEAD}</Notice>
        <CodeList codes={codes} />
        <div class={dialog.actions}>
          <Button onClick={onClose}>I have saved the codes</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog key="ask" title="Renew your recovery codes?" isBusy={isBusy} onClose={onClose}>
      <p>You get ten new codes. The old codes stop working immediately.</p>
      <FormError text={error} />
      <DialogActions cancel="Cancel" submit="Renew" isBusy={isBusy} onSubmit={renew} />
    </Dialog>
  )
}

function describeCodesLeft(count: number): string {
  return count === 0
    ? 'None left. Renew them: without a recovery code, you cannot log in if you lose your authenticator.'
    : `${count} of 10 left. If you lose your authenticator, you can log in with each of them once.`
}
