/** For a code that has not arrived: send another one, or go back. */
import { useState } from 'preact/hooks'
import { TextButton } from '../button.tsx'
import { explainInOneText, type RefusalWords } from '../explain-refusal.ts'
import type { SharedMessages } from '../messages-en.ts'
import type { Result } from '../request.ts'
import { useBusy } from '../use-busy.ts'
import * as base from '../base.module.css'
import * as styles from './sign-in.module.css'

export interface ResendProps<Step> {
  words: SharedMessages & RefusalWords
  resend: () => Promise<Result<Step>>
  onResent: (step: Step) => void
  back: () => void
}

export function Resend<Step>({ words, back, ...props }: ResendProps<Step>) {
  const [status, setStatus] = useState('')
  const [isBusy, resend] = useBusy(async () => {
    setStatus('')
    const result = await props.resend()
    if (result.ok) props.onResent(result.data)
    setStatus(result.ok ? words.resend.sent : explainInOneText(result, words))
  })
  return (
    <div class={styles.resend}>
      <p class={`${styles.small} ${base.muted}`} role="status">
        {status || words.resend.spam}
      </p>
      <div class={styles.links}>
        <TextButton isBusy={isBusy} onClick={resend}>
          {words.resend.submit}
        </TextButton>
        <TextButton onClick={back}>{words.backToLogIn}</TextButton>
      </div>
    </div>
  )
}
