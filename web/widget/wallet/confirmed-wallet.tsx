import { useState } from 'preact/hooks'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { ConfirmOwner } from '../confirm-owner.tsx'
import { Frame } from '../frame.tsx'
import { keepConfirmed } from '../take-address.ts'
import { WalletPage } from './page.tsx'

/** The wallet of a session from a link: shown after the visitor confirms that it is theirs. */
export function ConfirmedWallet({ session }: { session: string }) {
  const [isConfirmed, setIsConfirmed] = useState(false)
  useHeadingFocus(isConfirmed ? 'wallet' : 'confirm')
  if (isConfirmed) return <WalletPage session={session} />
  return (
    <Frame>
      <ConfirmOwner session={session} proceed={proceed} />
    </Frame>
  )

  function proceed() {
    keepConfirmed()
    setIsConfirmed(true)
  }
}
