import { useState } from 'preact/hooks'
import { AppChoice } from '../kit/app-choice.tsx'
import { words } from '../messages.ts'

/** A filter by client app. Only a chosen app, not the typed text, goes into the URL. */
export function TopupAppField({ clientId }: { clientId: string }) {
  const [chosen, setChosen] = useState(clientId)
  return (
    <>
      <AppChoice
        label={words.topups.columns.app}
        value={clientId}
        placeholder={words.topups.anyApp}
        onChange={setChosen}
      />
      <input type="hidden" name="app" value={chosen} />
    </>
  )
}
