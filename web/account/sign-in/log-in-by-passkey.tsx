import { explainInOneText } from '../../ui/explain-refusal.ts'
import { canUsePasskeys, sendSigned } from '../../ui/passkeys/browser-passkeys.ts'
import { choosePasskeyTexts } from '../../ui/passkeys/messages.ts'
import { PasskeyLogIn } from '../../ui/passkeys/passkey-log-in.tsx'
import { usePage } from '../page-context.ts'

/** Shown if the browser supports passkeys. */
export function LogInByPasskey({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const { words, data, call } = usePage()
  if (!canUsePasskeys(data.passkeyHost)) return null
  const texts = choosePasskeyTexts(words)
  const errors = { ...words.errors, PASSKEY_INVALID: texts.invalid }
  return (
    <PasskeyLogIn
      texts={texts}
      send={() =>
        sendSigned(
          () => call('POST /api/account/log-in/passkey'),
          (signed) => call('POST /api/account/log-in/passkey/finish', signed),
          texts,
        )
      }
      explain={(result) => explainInOneText(result, { ...words, errors })}
      done={onSignedIn}
    />
  )
}
