import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { FormFault } from '../../ui/notice.tsx'
import { explainInOne } from '../explain-refusal.ts'
import { KeyIcon } from '../kit/icons.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { canUsePasskeys, logInByPasskey } from './passkey.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './sign-in.module.css'

/** Shown if the browser supports passkeys. */
export function PasskeyLogIn({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { calls, data } = usePage()
  const [fault, setFault] = useState('')
  const [isBusy, logIn] = useBusy(async () => {
    setFault('')
    const result = await logInByPasskey(calls)
    if (result.ok) await onSignedIn()
    else setFault(explainInOne(result))
  })
  if (!canUsePasskeys(data)) return null
  return (
    <div class={styles.passkey}>
      <p class={`${styles.or} ${base.muted}`}>{words.passkey.or}</p>
      <FormFault text={fault} />
      <Button kind="secondary" isBusy={isBusy} onClick={logIn}>
        <KeyIcon />
        {words.passkey.logIn}
      </Button>
    </div>
  )
}
