/** The page that "This wasn't me" in an email opens. It changes nothing before the person confirms. */
import { useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { explainAsText } from '../../ui/explain-refusal.ts'
import { AlertIcon, CheckIcon } from '../../ui/icons.tsx'
import { FormError } from '../../ui/notice.tsx'
import { StatusScreen } from '../../ui/status-screen.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { useHeadingFocus } from '../../ui/use-heading-focus.ts'
import { usePage } from '../page-context.ts'
import * as styles from './sign-in.module.css'

interface SecureProps {
  ticket: string
  toForgot: () => void
}

export function Secure({ ticket, toForgot }: SecureProps) {
  const { messages, call } = usePage()
  const [error, setError] = useState('')
  const [isDone, setIsDone] = useState(false)
  const [isBusy, secure] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/account/secure', { ticket })
    const errors = { ...messages.errors, CODE_INVALID: messages.secure.invalid }
    if (result.ok) setIsDone(true)
    else setError(explainAsText(result, { ...messages, errors }))
  })
  useHeadingFocus(isDone ? 'secured' : 'secure')
  if (isDone) {
    return (
      <main class={styles.page}>
        <StatusScreen
          isGood
          icon={<CheckIcon />}
          title={messages.secure.doneTitle}
          text={messages.secure.done}
        >
          <Button onClick={toForgot}>{messages.secure.newPassword}</Button>
        </StatusScreen>
      </main>
    )
  }
  return (
    <main class={styles.page}>
      <StatusScreen icon={<AlertIcon />} title={messages.secure.title} text={messages.secure.text}>
        <FormError text={error} />
        <Button isBusy={isBusy} onClick={secure}>
          {messages.secure.submit}
        </Button>
        <TextButton onClick={toForgot}>{messages.secure.onlyPassword}</TextButton>
      </StatusScreen>
    </main>
  )
}
