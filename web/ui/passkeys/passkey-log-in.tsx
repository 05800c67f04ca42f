import { useState } from 'preact/hooks'
import { Button } from '../button.tsx'
import { FormError } from '../notice.tsx'
import type { NoResponse, Refusal, Result } from '../request.ts'
import { useBusy } from '../use-busy.ts'
import { KeyIcon } from '../icons.tsx'
import * as base from '../base.module.css'
import * as styles from './passkey-log-in.module.css'

interface PasskeyLogInProps<Step> {
  messages: { or: string; logIn: string }
  send: () => Promise<Result<Step>>
  explain: (result: Refusal | NoResponse) => string
  done: (step: Step) => void | Promise<void>
}

/** Below a login form: the other way to log in. */
export function PasskeyLogIn<Step>({ messages, send, explain, done }: PasskeyLogInProps<Step>) {
  const [error, setError] = useState('')
  const [isBusy, logIn] = useBusy(async () => {
    setError('')
    const result = await send()
    if (result.ok) await done(result.data)
    else setError(explain(result))
  })
  return (
    <div class={styles.passkey}>
      <p class={`${styles.or} ${base.muted}`}>{messages.or}</p>
      <FormError text={error} />
      <Button kind="secondary" isBusy={isBusy} onClick={logIn}>
        <KeyIcon />
        {messages.logIn}
      </Button>
    </div>
  )
}
