/** The operator confirms their identity with a passkey, or with password and code, before some actions. */
import { useState } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import { explainWrongPassword } from '../../ui/explain-refusal.ts'
import { PasswordField } from '../../ui/field.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { useForm } from '../../ui/use-form.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import { explainAsText, errorMessages } from '../explain-refusal.ts'
import { checkCode, SecondFactorField } from '../kit/form-parts.tsx'
import { usePage } from '../page-context.ts'
import { canUsePasskeys } from '../../ui/passkeys/browser-passkeys.ts'
import { confirmByPasskey } from './passkey.tsx'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'

interface MethodProps {
  end: (isConfirmed: boolean) => void
  /** Switches to the other method; undefined if there is none. */
  switchMethod: (() => void) | undefined
}

interface ConfirmDialogProps extends Pick<MethodProps, 'end'> {
  hasPasskey: boolean
}

export function ConfirmDialog({ hasPasskey, end }: ConfirmDialogProps) {
  const { data } = usePage()
  const mayChoose = hasPasskey && canUsePasskeys(data.passkeyHost)
  const [isPasskey, setIsPasskey] = useState(mayChoose)
  const method = { end, switchMethod: mayChoose ? () => setIsPasskey(!isPasskey) : undefined }
  return isPasskey ? <ByPasskey {...method} /> : <ByPassword {...method} />
}

function ByPasskey({ end, switchMethod }: MethodProps) {
  const { call } = usePage()
  const [error, setError] = useState('')
  const [isBusy, confirm] = useBusy(async () => {
    setError('')
    const result = await confirmByPasskey(call)
    if (result.ok) end(true)
    else setError(explainAsText(result))
  })
  return (
    <Dialog title="Confirm your identity" isBusy={isBusy} onClose={() => end(false)}>
      <p class={base.muted}>
        This action requires your passkey. You will not be asked again for five minutes.
      </p>
      <FormError text={error} />
      <OtherMethod text="Use password and code instead" onClick={switchMethod} />
      <DialogActions
        cancel="Cancel"
        submit="Confirm with a passkey"
        isBusy={isBusy}
        onSubmit={confirm}
      />
    </Dialog>
  )
}

function ByPassword({ end, switchMethod }: MethodProps) {
  const { call } = usePage()
  const { errors, isBusy, formProps } = useForm({
    check: ({ password, code }) => ({
      password: password ? '' : errorMessages.fieldErrors.password,
      code: checkCode(code),
    }),
    send: ({ password = '', code = '' }) =>
      call('POST /api/admin/sign-in/confirm', { password, code: code.trim() }),
    explain: (result) => explainWrongPassword(result, errorMessages, ['password', 'code']),
    done: () => end(true),
  })
  return (
    <Dialog title="Confirm your identity" isBusy={isBusy} onClose={() => end(false)}>
      <p class={base.muted}>
        This action requires your password and a code. You will not be asked again for five minutes.
      </p>
      <form class={forms.form} {...formProps}>
        <FormError text={errors['form']} />
        <PasswordField
          name="password"
          label="Password"
          showLabel="Show password"
          autoComplete="current-password"
          error={errors['password']}
        />
        <SecondFactorField error={errors['code']} />
        <OtherMethod text="Use a passkey instead" onClick={switchMethod} />
        <DialogActions cancel="Cancel" submit="Confirm" isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

function OtherMethod({ text, onClick }: { text: string; onClick: (() => void) | undefined }) {
  return onClick ? <TextButton onClick={onClick}>{text}</TextButton> : null
}
