import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { useTopup } from './context.ts'
import * as base from '../../ui/base.module.css'
import * as card from './card.module.css'

/** After this time, the browser has not closed the window and will not. */
const CLOSING_MS = 400

/** Closes the window, or returns to the wallet if the page is in an iframe. */
export function LeaveButton({ kind = 'primary' }: { kind?: 'primary' | 'secondary' }) {
  const { texts, isFramed, data, address } = useTopup()
  const [isStuck, setIsStuck] = useState(false)

  function leave() {
    if (isFramed) {
      const query = {
        clientId: data.clientId,
        ...(address.session && { session: address.session }),
      }
      location.assign(`/widget/wallet?${new URLSearchParams(query)}`)
      return
    }
    window.close()
    // Browsers let a script close only windows that a script opened.
    setTimeout(() => setIsStuck(true), CLOSING_MS)
  }

  return (
    <>
      <Button kind={kind} onClick={leave}>
        {isFramed ? texts.result.toWallet : texts.result.close}
      </Button>
      <p class={`${card.topupStuck} ${base.muted}`} role="status">
        {isStuck && texts.result.closeYourself}
      </p>
    </>
  )
}
