/** Loaded after the login form, and only where passkeys may work. */
import type { AuthStep } from '@coffer/contract/widget/widget'
import { explainAsText } from '../../ui/explain-refusal.ts'
import { sendSigned } from '../../ui/passkeys/browser-passkeys.ts'
import { choosePasskeyMessages } from '../../ui/passkeys/messages.ts'
import { PasskeyLogIn } from '../../ui/passkeys/passkey-log-in.tsx'
import { call } from '../calls.ts'
import { usePage } from '../page-context.ts'

export interface PasskeyProps {
  app: { clientId: string; challenge: string | undefined }
  done: (step: AuthStep) => void
}

export function Passkey({ app, done }: PasskeyProps) {
  const { messages } = usePage()
  if (!isAllowedHere()) return null
  const passkeyMessages = choosePasskeyMessages(messages)
  const errors = { ...messages.errors, PASSKEY_INVALID: passkeyMessages.invalid }
  return (
    <PasskeyLogIn
      messages={passkeyMessages}
      send={() =>
        sendSigned(
          () => call('POST /api/widget/auth/passkey', { clientId: app.clientId }),
          (signed) => call('POST /api/widget/auth/passkey/finish', { ...app, ...signed }),
          passkeyMessages,
        )
      }
      explain={(result) => explainAsText(result, { ...messages, errors })}
      done={done}
    />
  )
}

interface FeaturePolicy {
  allowsFeature: (name: string) => boolean
}

/**
 * Whether the page around the frame allows passkeys. Only browsers that can tell also report that page in what they
 * sign, which the service requires.
 */
function isAllowedHere(): boolean {
  const { featurePolicy } = document as { featurePolicy?: FeaturePolicy }
  const isInFrame = self !== top
  return isInFrame && featurePolicy?.allowsFeature('publickey-credentials-get') === true
}
