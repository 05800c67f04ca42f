import { explainAsText } from '../../ui/explain-refusal.ts'
import { canUsePasskeys, sendSigned } from '../../ui/passkeys/browser-passkeys.ts'
import { choosePasskeyMessages } from '../../ui/passkeys/messages.ts'
import { PasskeyLogIn } from '../../ui/passkeys/passkey-log-in.tsx'
import { usePage } from '../page-context.ts'

/** Shown if the browser supports passkeys. */
export function LogInByPasskey({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { messages, data, call } = usePage()
  if (!canUsePasskeys(data.passkeyHost)) return null
  const passkeyMessages = choosePasskeyMessages(messages)
  const errors = { ...messages.errors, PASSKEY_INVALID: passkeyMessages.invalid }
  return (
    <PasskeyLogIn
      messages={passkeyMessages}
      send={() =>
        sendSigned(
          () => call('POST /api/account/log-in/passkey'),
          (signed) => call('POST /api/account/log-in/passkey/finish', signed),
          passkeyMessages,
        )
      }
      explain={(result) => explainAsText(result, { ...messages, errors })}
      done={onSignedIn}
    />
  )
}
