/** The page that "This wasn't me" in an email opens. It changes nothing before the person confirms. */
import { useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { explainInOneText } from '../../ui/explain-refusal.ts'
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
  const { words, call } = usePage()
  const texts = words.secure
  const [error, setError] = useState('')
  const [isDone, setIsDone] = useState(false)
  const [isBusy, secure] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/account/secure', { ticket })
    const errors = { ...words.errors, CODE_INVALID: texts.invalid }
    if (result.ok) setIsDone(true)
    else setError(explainInOneText(result, { ...words, errors }))
  })
  useHeadingFocus(isDone ? 'secured' : 'secure')
  if (isDone) {
    return (
      <main class={styles.page}>
        <StatusScreen isGood icon={<CheckIcon />} title={texts.doneTitle} text={texts.done}>
          <Button onClick={toForgot}>{texts.newPassword}</Button>
        </StatusScreen>
      </main>
    )
  }
  return (
    <main class={styles.page}>
      <StatusScreen icon={<AlertIcon />} title={texts.title} text={texts.text}>
        <FormError text={error} />
        <Button isBusy={isBusy} onClick={secure}>
          {texts.submit}
        </Button>
        <TextButton onClick={toForgot}>{texts.onlyPassword}</TextButton>
      </StatusScreen>
    </main>
  )
}
