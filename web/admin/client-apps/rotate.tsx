import { useState } from 'preact/hooks'
import { Notice, FormFault } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { TabProps } from './tab.ts'
import type { Overlap, Restriction } from '../calls.ts'
import { explainInOne } from '../explain-refusal.ts'
import { OverlapChoice } from '../kit/overlap-choice.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { useRotation } from './use-rotation.tsx'
import * as base from '../../ui/base.module.css'

interface RotateDialogProps extends TabProps {
  /** Of the secret; null: it has none. The new secret has the same. */
  restriction: Restriction | null
  /** A third secret ends the oldest. */
  hasTwo: boolean
  onClose: () => void
}

export function RotateDialog({ app, reload, restriction, hasTwo, onClose }: RotateDialogProps) {
  const { call } = usePage()
  const { clientId } = app
  const [overlap, setOverlap] = useState<Overlap>('24h')
  const [fault, setFault] = useState('')
  const [outcome, take] = useRotation({ app, reload }, words.rotation.waits, onClose)
  const [isBusy, rotate] = useBusy(async () => {
    setFault('')
    const input = { clientId, overlap, ...(restriction && { restriction }) }
    const result = await call('POST /api/admin/client-apps/rotate', input)
    if (result.ok) await take(result.data)
    else setFault(explainInOne(result))
  })
  if (outcome) return outcome
  const title = restriction ? words.rotate.titleOf(restriction.name) : words.rotate.title
  return (
    <Dialog key="ask" title={title} isBusy={isBusy} onClose={onClose}>
      <p class={base.muted}>{words.rotate.text}</p>
      {hasTwo && <Notice kind="warning">{words.rotate.hasTwo}</Notice>}
      {app.isInUse && <p class={base.muted}>{words.rotation.second}</p>}
      <OverlapChoice overlap={overlap} hints={words.rotate.hints} onChange={setOverlap} />
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
