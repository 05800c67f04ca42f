import { Button, TextButton } from '../../ui/button.tsx'
import { CodeField } from '../../ui/field.tsx'
import { FormFault } from '../../ui/notice.tsx'
import { SignInHead } from '../../ui/sign-in/head.tsx'
import { CopyRow } from '../kit/copy.tsx'
import { type SecondStepProps, useCodeForm } from './parts.ts'
import { words } from '../messages.ts'
import { QrCode } from './qr-code.tsx'
import * as base from '../../ui/base.module.css'
import * as signIn from '../../ui/sign-in/sign-in.module.css'

export function Enroll({
  ticket,
  totpUri,
  onDone,
  startAgain,
}: SecondStepProps & { totpUri: string }) {
  const { faults, isBusy, formProps } = useCodeForm({ ticket, onDone })
  const secret = new URL(totpUri).searchParams.get('secret') ?? ''
  return (
    <form class={`${signIn.signIn} ${base.appear}`} {...formProps}>
      <SignInHead title={words.enroll.title} icon={null}>
        {words.enroll.lead}
      </SignInHead>
      <QrCode text={totpUri} label={words.enroll.qrCode} />
      <CopyRow
        label={words.enroll.secret}
        text={secret}
        shown={secret.replace(/.{4}(?=.)/g, '$& ')}
      />
      <FormFault text={faults['form']} />
      <CodeField
        name="code"
        label={words.fields.code}
        hint={words.enroll.codeHint}
        autoComplete="one-time-code"
        error={faults['code']}
      />
      <Button type="submit" isBusy={isBusy}>
        {words.enroll.submit}
      </Button>
      <TextButton onClick={startAgain}>{words.code.startAgain}</TextButton>
    </form>
  )
}
