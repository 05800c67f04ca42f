import { useState } from 'preact/hooks'
import { AppChoice } from './app-choice.tsx'

/** A filter by client app. Only a chosen app, not the typed text, goes into the URL. */
export function AppFilter({ clientId, name = 'app' }: { clientId: string; name?: string }) {
  const [chosen, setChosen] = useState(clientId)
  return (
    <>
      <AppChoice
        label="Client app"
        value={clientId}
        placeholder="Any client app"
        onChange={setChosen}
      />
      <input type="hidden" name={name} value={chosen} />
    </>
  )
}
