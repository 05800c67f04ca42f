import { useState } from 'preact/hooks'
import { useBusy } from '../../ui/use-busy.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { TabProps } from '../kit/app-tabs.tsx'
import { explainAsText } from '../explain-refusal.ts'
import { OriginTaken } from './origin-list.tsx'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'

const EFFECTS = [
  'server calls: they return 401 INVALID_CLIENT',
  'widget sessions, including open ones',
  'embedding the widget in its pages',
]

export function ActivateDialog({ app, reload, onClose }: TabProps & { onClose: () => void }) {
  const { call } = usePage()
  const [error, setError] = useState('')
  const isOn = app.isActive
  const [isTaken, setIsTaken] = useState(false)
  async function send(sharesParents: boolean) {
    setError('')
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
      return setError(taken ? '' : explainAsText(result))
    }
    await reload()
    onClose()
  }
  const [isBusy, change] = useBusy(() => send(false))
  const [isSharing, shareParents] = useBusy(() => send(true))
  return (
    <Dialog
      title={isOn ? `Deactivate ${app.name}?` : `Activate ${app.name}?`}
      isBusy={isBusy || isSharing}
      isDestructive={isOn}
      onClose={onClose}
    >
      <p>
        {isOn
          ? 'Within a second, the following stops:'
          : 'Server calls, sessions and embedding work again within a second.'}
      </p>
      {isOn && (
        <ul class={parts.bullets}>
          {EFFECTS.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {isOn && (
        <p class={base.muted}>
          Links, wallets, secrets and settings are kept. You can activate the app again at any time.
        </p>
      )}
      <FormError text={error} />
      {isTaken && <OriginTaken isBusy={isSharing} onShare={shareParents} />}
      <DialogActions
        cancel="Cancel"
        submit={isOn ? 'Deactivate' : 'Activate'}
        isBusy={isBusy}
        onSubmit={change}
      />
    </Dialog>
  )
}
