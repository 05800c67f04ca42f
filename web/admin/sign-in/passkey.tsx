import { sendCreated, sendSigned, canUsePasskeys } from '../../ui/passkeys/browser-passkeys.ts'
import type { Result } from '../../ui/request.ts'
import type { Call } from '../calls.ts'
import { PasskeyLogIn } from '../../ui/passkeys/passkey-log-in.tsx'
import { explainAsText } from '../explain-refusal.ts'
import { usePage } from '../page-context.ts'
import * as styles from './sign-in.module.css'

const FAILURES = {
  cancelled:
    'No passkey was used: you canceled, it timed out, or no passkey matches. Try again, or use your password and a code.',
  notCreated: 'No passkey was created: you canceled or it timed out. Try again.',
  known: 'One of your passkeys is already saved there. Choose another place for this one.',
  unable: 'This device cannot save passkeys that require unlocking. Choose another place.',
  failed: 'The browser could not use a passkey here. Use your password and a code.',
}

function logInByPasskey(call: Call): Promise<Result<object>> {
  return sendSigned(
    () => call('POST /api/admin/sign-in/passkey'),
    (signed) => call('POST /api/admin/sign-in/passkey/finish', signed),
    FAILURES,
  )
}

export function confirmByPasskey(call: Call): Promise<Result<object>> {
  return sendSigned(
    () => call('GET /api/admin/sign-in/confirm/passkey'),
    (signed) => call('POST /api/admin/sign-in/confirm/passkey', signed),
    FAILURES,
  )
}

export function addPasskey(call: Call, name: string): Promise<Result<object>> {
  return sendCreated(
    () => call('GET /api/admin/sign-in/passkeys/new'),
    (passkey) => call('POST /api/admin/sign-in/passkeys', { name, passkey }),
    'Coffer',
    FAILURES,
  )
}

/** Shown if the browser supports passkeys. */
export function LogInByPasskey({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { call, data } = usePage()
  if (!canUsePasskeys(data.passkeyHost)) return null
  return (
    <div class={styles.passkey}>
      <PasskeyLogIn
        messages={{ or: 'or', logIn: 'Log in with a passkey' }}
        send={() => logInByPasskey(call)}
        explain={explainAsText}
        done={onSignedIn}
      />
    </div>
  )
}
