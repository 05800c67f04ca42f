import { useState } from 'preact/hooks'
import { AppChoice } from './app-choice.tsx'
import { words } from '../messages.ts'

/** A filter by client app. Only a chosen app, not the typed text, goes into the URL. */
export function AppFilter({ clientId, name = 'app' }: { clientId: string; name?: string }) {
  const [chosen, setChosen] = useState(clientId)
  return (
    <>
      <AppChoice
        label={words.list.app}
        value={clientId}
        placeholder={words.list.anyApp}
        onChange={setChosen}
      />
      <input type="hidden" name={name} value={chosen} />
    </>
  )
}
