import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice, FormFault } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { TabProps } from './tab.ts'
import type { Overlap } from '../calls.ts'
import { CopyRow, Snippet } from '../kit/copy.tsx'
import { explainInOne } from '../explain-refusal.ts'
import { Choice } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { notifyGrantsChanged } from '../kit/approvals-count.tsx'
import { LimitWaits } from './limit-waits.tsx'
import { writeEnv } from './snippets.ts'
import * as base from '../../ui/base.module.css'
import * as dialog from '../../ui/dialog.module.css'
import * as forms from '../kit/forms.module.css'

const OVERLAPS: readonly Overlap[] = ['24h', '7d', '1h', 'none']

interface RotateDialogProps extends TabProps {
  /** A third secret ends the oldest. */
  hasTwo: boolean
  onClose: () => void
}

export function RotateDialog({ app, reload, hasTwo, onClose }: RotateDialogProps) {
  const { calls } = usePage()
  const { clientId } = app
  const [overlap, setOverlap] = useState<Overlap>('24h')
  const [fault, setFault] = useState('')
  const [secret, setSecret] = useState('')
  const [approvers, setApprovers] = useState<readonly string[] | null>(null)
  const [isBusy, rotate] = useBusy(async () => {
    setFault('')
    const result = await calls.rotateSecret({ clientId, overlap })
    if (!result.ok) return setFault(explainInOne(result))
    const { clientSecret } = result.data
    if (clientSecret === null) {
      setApprovers(result.data.approvers)
      return notifyGrantsChanged()
    }
    setSecret(clientSecret)
    await reload()
  })
  if (approvers) return <RotationWaits approvers={approvers} onClose={onClose} />
  if (secret) {
    return (
      <Dialog key="done" title={words.rotate.doneTitle} isBusy={false} onClose={onClose}>
        <Notice kind="warning">{words.created.once}</Notice>
        <CopyRow label="clientSecret" text={secret} />
        <Snippet title={words.created.env} text={writeEnv(clientId, secret)} />
        <div class={dialog.answers}>
          <Button onClick={onClose}>{words.rotate.stored}</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog key="ask" title={words.rotate.title} isBusy={isBusy} onClose={onClose}>
      <p class={base.muted}>{words.rotate.text}</p>
      {hasTwo && <Notice kind="warning">{words.rotate.hasTwo}</Notice>}
      {app.isInUse && <p class={base.muted}>{words.rotation.second}</p>}
      <fieldset class={forms.choices}>
        <legend>{words.rotate.overlap}</legend>
        {OVERLAPS.map((each) => (
          <Choice
            key={each}
            type="radio"
            name="overlap"
            value={each}
            label={words.rotate.overlaps[each]}
            text={words.rotate.hints[each]}
            isChecked={each === overlap}
            onChange={() => setOverlap(each)}
          />
        ))}
      </fieldset>
      <FormFault text={fault} />
      <DialogActions
        cancel={words.cancel}
        submit={words.rotate.submit}
        isBusy={isBusy}
        onSubmit={rotate}
      />
    </Dialog>
  )
}

interface RotationWaitsProps {
  approvers: readonly string[]
  onClose: () => void
}

function RotationWaits({ approvers, onClose }: RotationWaitsProps) {
  return (
    <Dialog key="waits" title={words.rotation.waitsTitle} isBusy={false} onClose={onClose}>
      <LimitWaits text={words.rotation.waits} approvers={approvers} />
      <div class={dialog.answers}>
        <Button onClick={onClose}>{words.rotation.close}</Button>
      </div>
    </Dialog>
  )
}
