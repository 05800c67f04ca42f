/** For a code that has not arrived: send another one, or go back. */
import { useState } from 'preact/hooks'
import { TextButton } from '../button.tsx'
import { explainAsText, type RefusalMessages } from '../explain-refusal.ts'
import type { SharedMessages } from '../messages-en.ts'
import type { Result } from '../request.ts'
import { useBusy } from '../use-busy.ts'
import * as base from '../base.module.css'
import * as styles from './sign-in.module.css'

export interface ResendProps<Step> {
  messages: SharedMessages & RefusalMessages
  resend: () => Promise<Result<Step>>
  onResent: (step: Step) => void
  back: () => void
}

export function Resend<Step>({ messages, back, ...props }: ResendProps<Step>) {
  const [status, setStatus] = useState('')
  const [isBusy, resend] = useBusy(async () => {
    setStatus('')
    const result = await props.resend()
    if (result.ok) props.onResent(result.data)
    setStatus(result.ok ? messages.resend.sent : explainAsText(result, messages))
  })
  return (
    <div class={styles.resend}>
      <p class={`${styles.small} ${base.muted}`} role="status">
        {status || messages.resend.spam}
      </p>
      <div class={styles.links}>
        <TextButton isBusy={isBusy} onClick={resend}>
          {messages.resend.submit}
        </TextButton>
        <TextButton onClick={back}>{messages.backToLogIn}</TextButton>
      </div>
    </div>
  )
}
