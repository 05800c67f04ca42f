import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, TextButton, WindowLink } from '../../ui/button.tsx'
import { NewWindowIcon } from '../../ui/icons.tsx'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './wallet.module.css'

type Switching = 'no' | 'asking' | 'requested'

/** Links to the account, and the switch to another one, which logs out of this wallet in the app. */
export function WalletFooter() {
  const { messages, post, data } = usePage()
  const [switching, setSwitching] = useState<Switching>('no')
  const question = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (switching !== 'asking') return undefined
    question.current?.focus()
    // The buttons are visible only after the embedding page has made the frame higher.
    const showAll = () => question.current?.parentElement?.scrollIntoView({ block: 'nearest' })
    addEventListener('resize', showAll)
    return () => removeEventListener('resize', showAll)
  }, [switching])

  function requestSwitch() {
    post({ type: 'SERVICE_LOGOUT_REQUEST' })
    setSwitching('requested')
  }

  return (
    <div class={styles.footer}>
      <WindowLink href="/account">
        {messages.wallet.manageAccount}
        <NewWindowIcon />
        <span class={base.visuallyHidden}>{messages.wallet.opensWindow}</span>
      </WindowLink>
      <TextButton onClick={() => setSwitching('asking')}>
        {messages.wallet.switchAccount}
      </TextButton>
      {switching === 'asking' && (
        <div class={`${styles.question} ${base.appear}`}>
          <p ref={question} tabIndex={-1}>
            {messages.wallet.switchQuestion(data.appName)}
          </p>
          <Button kind="secondary" onClick={() => setSwitching('no')}>
            {messages.wallet.switchCancel}
          </Button>
          <Button onClick={requestSwitch}>{messages.wallet.switchConfirm}</Button>
        </div>
      )}
      {switching === 'requested' && (
        <p class={`${styles.asked} ${base.muted} ${base.appear}`} role="status">
          {messages.wallet.switchAsked(data.appName)}
        </p>
      )}
    </div>
  )
}
