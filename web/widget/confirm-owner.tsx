import type { WalletOwner } from '@coffer/contract/shapes'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { WalletIcon } from '../ui/icons.tsx'
import { LoadFailed } from '../ui/load-failed.tsx'
import { TextPlaceholder } from '../ui/placeholder.tsx'
import { StatusScreen } from '../ui/status-screen.tsx'
import { useHeadingFocus } from '../ui/use-heading-focus.ts'
import { call } from './calls.ts'
import { chooseConfirmOwnerMessages } from './confirm-owner-messages.ts'
import { OwnerName } from './owner-name.tsx'
import { usePage } from './page-context.ts'

interface ConfirmOwnerProps {
  session: string
  /** The visitor confirmed it, or the session has ended, which the next screen explains. */
  proceed: () => void
}

/**
 * The first screen of a page that was opened with a link: anybody can send a link with a session of their own wallet,
 * so that somebody else pays into it. It names the owner and shows nothing else of the wallet.
 */
export function ConfirmOwner({ session, proceed }: ConfirmOwnerProps) {
  const { messages, data } = usePage()
  const [owner, setOwner] = useState<WalletOwner | 'offline' | 'failed'>()
  const isMissing = owner === 'offline' || owner === 'failed'
  useEffect(() => void read(), [])
  useHeadingFocus(isMissing ? 'failed' : 'confirm')

  async function read() {
    const result = await call('GET /api/widget/wallet', { session })
    if (result.ok) setOwner(result.data.user)
    else if (result.offline) setOwner('offline')
    else if (result.status === 401) proceed()
    else setOwner('failed')
  }

  if (isMissing) {
    return (
      <LoadFailed
        messages={messages.failed}
        retryLabel={messages.wallet.retry}
        isOffline={owner === 'offline'}
        retry={read}
      />
    )
  }
  const { title, text, submit } = chooseConfirmOwnerMessages(messages.lang)
  return (
    <StatusScreen icon={<WalletIcon />} title={title} text={text(data.appName)}>
      <p>{owner ? <OwnerName owner={owner} /> : <TextPlaceholder length={24} />}</p>
      <Button isDisabled={!owner} onClick={proceed}>
        {submit}
      </Button>
    </StatusScreen>
  )
}
