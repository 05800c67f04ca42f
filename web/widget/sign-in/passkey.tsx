/** Loaded after the login form, and only where passkeys may work. */
import type {
  AuthStep,
  beginWidgetPasskeyLogIn,
  logInToWidgetByPasskey,
} from '@coffer/contract/widget/widget'
import { explainInOneText } from '../../ui/explain-refusal.ts'
import { sendSigned } from '../../ui/passkeys/browser-passkeys.ts'
import { choosePasskeyTexts } from '../../ui/passkeys/messages.ts'
import { PasskeyLogIn } from '../../ui/passkeys/passkey-log-in.tsx'
import { request } from '../../ui/request.ts'
import { usePage } from '../page-context.ts'

export interface PasskeyProps {
  app: { clientId: string; challenge: string | undefined }
  done: (step: AuthStep) => void
}

export function Passkey({ app, done }: PasskeyProps) {
  const { words } = usePage()
  if (!isAllowedHere()) return null
  const texts = choosePasskeyTexts(words)
  const errors = { ...words.errors, PASSKEY_INVALID: texts.invalid }
  const begin = () =>
    request<typeof beginWidgetPasskeyLogIn>('POST', '/api/widget/auth/passkey', {
      clientId: app.clientId,
    })
  return (
    <PasskeyLogIn
      texts={texts}
      send={() =>
        sendSigned(
          begin,
          ({ passkey }) =>
            request<typeof logInToWidgetByPasskey>('POST', '/api/widget/auth/passkey/finish', {
              ...app,
              passkey,
            }),
          texts,
        )
      }
      explain={(result) => explainInOneText(result, { ...words, errors })}
      done={done}
    />
  )
}

interface FeaturePolicy {
  allowsFeature: (name: string) => boolean
}

/**
 * Whether the page around the frame allows passkeys. Only browsers that can tell also report that page in what they sign,
 * which the service requires.
 */
function isAllowedHere(): boolean {
  const { featurePolicy } = document as { featurePolicy?: FeaturePolicy }
  const isInFrame = self !== top
  return isInFrame && featurePolicy?.allowsFeature('publickey-credentials-get') === true
}
