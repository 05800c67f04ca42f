import { Button, TextButton } from '../../ui/button.tsx'
import { CodeField } from '../../ui/field.tsx'
import { FormError } from '../../ui/notice.tsx'
import { SignInHead } from '../../ui/sign-in/sign-in-form.tsx'
import { CopyRow } from '../kit/copy.tsx'
import { type SecondStepProps, useCodeForm } from './code.tsx'
import { QrCode } from './qr-code.tsx'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'

export function Enroll({
  ticket,
  totpUri,
  onDone,
  startAgain,
}: SecondStepProps & { totpUri: string }) {
  const { errors, isBusy, formProps } = useCodeForm({ ticket, onDone })
  const secret = new URL(totpUri).searchParams.get('secret') ?? ''
  return (
    <form class={`${signIn.signIn} ${base.appear}`} {...formProps}>
      <SignInHead title="Set up your authenticator" icon={null}>
        Scan this code with an authenticator app. You will need the app every time you log in.
      </SignInHead>
      <QrCode
        text={totpUri}
        label="QR code with your authenticator secret. The same secret is shown below as text."
      />
      <CopyRow label="Secret" text={secret} shown={secret.replace(/.{4}(?=.)/g, '$& ')} />
      <FormError text={errors['form']} />
      <CodeField
        name="code"
        label="Code"
        hint="The 6 digits that the app shows after scanning."
        autoComplete="one-time-code"
        error={errors['code']}
      />
      <Button type="submit" isBusy={isBusy}>
        Set up and log in
      </Button>
      <TextButton onClick={startAgain}>Start again with the password</TextButton>
    </form>
  )
}
