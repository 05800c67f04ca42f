import { useState } from 'preact/hooks'
import { AppChoice } from '../kit/app-choice.tsx'
import { words } from '../messages.ts'

/** A filter by client app. What is typed is no choice yet; only the choice gets into the address. */
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
