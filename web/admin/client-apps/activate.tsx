import { useState } from 'preact/hooks'
import { useBusy } from '../../ui/use-busy.ts'
import { FormFault } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { TabProps } from './tab.ts'
import { explainInOne } from '../explain-refusal.ts'
import { words } from '../messages.ts'
import { OriginTaken } from './origin-taken.tsx'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'

export function ActivateDialog({ app, reload, onClose }: TabProps & { onClose: () => void }) {
  const { call } = usePage()
  const [fault, setFault] = useState('')
  const isOn = app.isActive
  const texts = words.activate
  const [isTaken, setIsTaken] = useState(false)
  async function send(sharesParents: boolean) {
    setFault('')
    setIsTaken(false)
    const { clientId } = app
    const result = await call('POST /api/admin/client-apps/activate', {
      clientId,
      isActive: !isOn,
      sharesParents,
    })
    if (!result.ok) {
      // While it was inactive, another app may have listed one of its iframe parents.
      const taken = !result.offline && result.code === 'ORIGIN_TAKEN'
      setIsTaken(taken)
      return setFault(taken ? '' : explainInOne(result))
    }
    await reload()
    onClose()
  }
  const [isBusy, change] = useBusy(() => send(false))
  const [isInsisting, insist] = useBusy(() => send(true))
  return (
    <Dialog
      title={isOn ? texts.offTitle(app.name) : texts.onTitle(app.name)}
      isBusy={isBusy || isInsisting}
      isDanger={isOn}
      onClose={onClose}
    >
      <p>{isOn ? texts.off : texts.on}</p>
      {isOn && (
        <ul class={parts.bullets}>
          {texts.stops.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {isOn && <p class={base.muted}>{texts.stays}</p>}
      <FormFault text={fault} />
      {isTaken && <OriginTaken isBusy={isInsisting} onInsist={insist} />}
      <DialogActions
        cancel={words.cancel}
        submit={isOn ? texts.deactivate : texts.activate}
        isBusy={isBusy}
        onSubmit={change}
      />
    </Dialog>
  )
}
