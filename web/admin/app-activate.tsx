import { useState } from 'preact/hooks'
import { useBusy } from '../ui/use-busy.ts'
import type { TabProps } from './app-tab.ts'
import { Answers, Dialog } from './dialog.tsx'
import { explainInOne } from './explain-refusal.ts'
import { FormFault } from './form-parts.tsx'
import { words } from './messages.ts'
import { usePage } from './page-context.ts'

export function ActivateDialog({ app, reload, onClose }: TabProps & { onClose: () => void }) {
  const { calls } = usePage()
  const [fault, setFault] = useState('')
  const isOn = app.isActive
  const texts = words.activate
  const [isBusy, change] = useBusy(async () => {
    setFault('')
    const result = await calls.activateApp({ clientId: app.clientId, isActive: !isOn })
    if (!result.ok) return setFault(explainInOne(result))
    await reload()
    onClose()
  })
  return (
    <Dialog
      title={isOn ? texts.offTitle(app.name) : texts.onTitle(app.name)}
      isBusy={isBusy}
      isDanger={isOn}
      onClose={onClose}
    >
      <p>{isOn ? texts.off : texts.on}</p>
      {isOn && (
        <ul class="bullets">
          {texts.stops.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {isOn && <p class="muted">{texts.stays}</p>}
      <FormFault text={fault} />
      <Answers
        submit={isOn ? texts.deactivate : texts.activate}
        isBusy={isBusy}
        onSubmit={change}
      />
    </Dialog>
  )
}
