/** Asked before anything dangerous: is it still the same person at this desk? */
import { useState } from 'preact/hooks'
import { TextButton } from '../ui/button.tsx'
import { PasswordField } from '../ui/field.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { useForm } from '../ui/use-form.ts'
import { FormFault } from '../ui/notice.tsx'
import { Answers, Dialog } from '../ui/dialog.tsx'
import { explainInOne, explainRefusal } from './explain-refusal.ts'
import { faultOfCode, SecondFactorField } from './kit/form-parts.tsx'
import { words } from './messages.ts'
import { usePage } from './page-context.ts'
import { canUsePasskeys, confirmByPasskey } from './kit/passkey.ts'

interface WayProps {
  settle: (isConfirmed: boolean) => void
  /** undefined: there is no other way. */
  goOther: (() => void) | undefined
}

interface ConfirmDialogProps extends Pick<WayProps, 'settle'> {
  hasPasskey: boolean
}

export function ConfirmDialog({ hasPasskey, settle }: ConfirmDialogProps) {
  const { data } = usePage()
  const mayChoose = hasPasskey && canUsePasskeys(data)
  const [isPasskey, setIsPasskey] = useState(mayChoose)
  const way = { settle, goOther: mayChoose ? () => setIsPasskey(!isPasskey) : undefined }
  return isPasskey ? <ByPasskey {...way} /> : <ByPassword {...way} />
}

function ByPasskey({ settle, goOther }: WayProps) {
  const { calls } = usePage()
  const [fault, setFault] = useState('')
  const [isBusy, confirm] = useBusy(async () => {
    setFault('')
    const result = await confirmByPasskey(calls)
    if (result.ok) settle(true)
    else setFault(explainInOne(result))
  })
  return (
    <Dialog title={words.confirm.title} isBusy={isBusy} onClose={() => settle(false)}>
      <p class="muted">{words.passkey.confirmText}</p>
      <FormFault text={fault} />
      <OtherWay text={words.passkey.usePassword} go={goOther} />
      <Answers
        cancel={words.cancel}
        submit={words.passkey.confirm}
        isBusy={isBusy}
        onSubmit={confirm}
      />
    </Dialog>
  )
}

function ByPassword({ settle, goOther }: WayProps) {
  const { calls } = usePage()
  const { faults, isBusy, formProps } = useForm({
    check: ({ password, code }) => ({
      password: password ? '' : words.faults.password,
      code: faultOfCode(code),
    }),
    send: ({ password = '', code = '' }) => calls.confirm({ password, code: code.trim() }),
    explain(result) {
      const isWrong = !result.offline && result.code === 'LOGIN_FAILED'
      if (isWrong) return { faults: { password: words.passwordWrong } }
      return explainRefusal(result, ['password', 'code'])
    },
    done: () => settle(true),
  })
  return (
    <Dialog title={words.confirm.title} isBusy={isBusy} onClose={() => settle(false)}>
      <p class="muted">{words.confirm.text}</p>
      <form class="form" {...formProps}>
        <FormFault text={faults['form']} />
        <PasswordField
          name="password"
          label={words.fields.password}
          showLabel={words.fields.showPassword}
          autoComplete="current-password"
          error={faults['password']}
        />
        <SecondFactorField error={faults['code']} />
        <OtherWay text={words.passkey.usePasskey} go={goOther} />
        <Answers cancel={words.cancel} submit={words.confirm.submit} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

function OtherWay({ text, go }: { text: string; go: (() => void) | undefined }) {
  return go ? <TextButton onClick={go}>{text}</TextButton> : null
}
