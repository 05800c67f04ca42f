import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { useTopup } from './context.ts'
import * as base from '../../ui/base.module.css'
import * as card from './card.module.css'

/** After this time, the browser has not closed the window and will not. */
const CLOSING_MS = 400

/** Closes the window, or leads away from the top-up if it is not in a window of its own. */
export function LeaveButton({ kind = 'primary' }: { kind?: 'primary' | 'secondary' }) {
  const { messages, leave, data } = useTopup()
  const [isStuck, setIsStuck] = useState(false)

  function close() {
    window.close()
    // Browsers let a script close only windows that a script opened.
    setTimeout(() => setIsStuck(true), CLOSING_MS)
  }

  return (
    <>
      <Button kind={kind} onClick={leave ?? close}>
        {leave ? messages.result.toWallet : messages.result.close(data.appName)}
      </Button>
      <p class={`${card.topupStuck} ${base.muted}`} role="status">
        {isStuck && messages.result.closeYourself}
      </p>
    </>
  )
}
