import { canUsePasskeys } from '../../ui/passkeys/browser-passkeys.ts'
import { PasskeyLogIn } from '../../ui/passkeys/passkey-log-in.tsx'
import { explainInOne } from '../explain-refusal.ts'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { logInByPasskey } from './passkey.ts'
import * as styles from './sign-in.module.css'

/** Shown if the browser supports passkeys. */
export function LogInByPasskey({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { call, data } = usePage()
  if (!canUsePasskeys(data.passkeyHost)) return null
  return (
    <div class={styles.passkey}>
      <PasskeyLogIn
        texts={words.passkey}
        send={() => logInByPasskey(call)}
        explain={explainInOne}
        done={onSignedIn}
      />
    </div>
  )
}
