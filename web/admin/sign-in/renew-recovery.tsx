import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice, FormFault } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { CodeList } from './recovery.tsx'
import { explainInOne } from '../explain-refusal.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as dialog from '../../ui/dialog.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './own-sign-in.module.css'

const texts = words.recoveryCodes

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
          <h2>{texts.title}</h2>
          <p class={`${base.muted} ${parts.partLead}`}>{texts.left(left)}</p>
        </div>
        <Button kind="secondary" onClick={() => setIsAsking(true)}>
          {texts.renew}
          <span class={base.visuallyHidden}> {texts.title.toLowerCase()}</span>
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
  const [fault, setFault] = useState('')
  const [isBusy, renew] = useBusy(async () => {
    setFault('')
    const result = await call('POST /api/admin/sign-in/recovery-codes')
    if (!result.ok) return setFault(explainInOne(result))
    setCodes(result.data.recoveryCodes)
    await reload()
  })
  if (codes) {
    return (
      <Dialog key="done" title={words.recovery.title} isBusy={false} onClose={onClose}>
        <Notice kind="warning">{words.recovery.lead}</Notice>
        <CodeList codes={codes} />
        <div class={dialog.answers}>
          <Button onClick={onClose}>{texts.stored}</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog key="ask" title={texts.askTitle} isBusy={isBusy} onClose={onClose}>
      <p>{texts.ask}</p>
      <FormFault text={fault} />
      <DialogActions cancel={words.cancel} submit={texts.submit} isBusy={isBusy} onSubmit={renew} />
    </Dialog>
  )
}
