import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice, FormError } from '../../ui/notice.tsx'
import { useForm, isEmail } from '../../ui/use-form.ts'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { Role } from '../calls.ts'
import { CopyRow } from '../kit/copy.tsx'
import { explainRefusal, errorMessages } from '../explain-refusal.ts'
import { Choice } from '../kit/form-parts.tsx'
import { ROLES, ROLE_NAMES } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import * as dialog from '../../ui/dialog.module.css'
import * as forms from '../kit/forms.module.css'

const ROLE_HINTS = {
  owner: 'Can do everything, including managing operators.',
  operator: 'Manages client apps and people, gives bonuses and corrects balances.',
  viewer: 'Can see everything but change nothing.',
}

interface CreateOperatorProps {
  reload: () => Promise<void>
  onClose: () => void
}

export function CreateOperator({ reload, onClose }: CreateOperatorProps) {
  const [made, setMade] = useState<{ email: string; password: string } | null>(null)
  if (!made) {
    return (
      <CreateForm
        onClose={onClose}
        onDone={(next) => {
          setMade(next)
          void reload()
        }}
      />
    )
  }
  return (
    <Dialog key="made" title="Operator added" isBusy={false} onClose={onClose}>
      <Notice kind="warning">
        Send this initial password to the operator through a secure channel. It is not shown again.
      </Notice>
      <CopyRow label="Email" text={made.email} />
      <CopyRow label="Initial password" text={made.password} />
      <div class={dialog.actions}>
        <Button onClick={onClose}>I have copied it</Button>
      </div>
    </Dialog>
  )
}

interface CreateFormProps {
  onClose: () => void
  onDone: (made: { email: string; password: string }) => void
}

function CreateForm({ onClose, onDone }: CreateFormProps) {
  const { call } = usePage()
  const [role, setRole] = useState<Role>('viewer')
  const [email, setEmail] = useState('')
  const { errors, isBusy, formProps } = useForm({
    check: ({ name }) => ({
      name: name?.trim() ? '' : errorMessages.fieldErrors.name,
      email: isEmail(email) ? '' : errorMessages.fieldErrors.email,
    }),
    send: ({ name = '' }) => call('POST /api/admin/operators', { email, name: name.trim(), role }),
    explain: (result) => explainRefusal(result, ['name', 'email']),
    done: ({ password }) => onDone({ email, password }),
  })
  return (
    <Dialog key="ask" title="Add an operator" isBusy={isBusy} onClose={onClose}>
      <form class={forms.form} {...formProps}>
        <FormError text={errors['form']} />
        <Field name="name" label="Name" autoComplete="off" error={errors['name']} />
        <Field
          name="email"
          type="email"
          label="Email"
          autoComplete="off"
          error={errors['email']}
          onInput={(input) => setEmail(input.value.trim())}
        />
        <RoleChoice role={role} setRole={setRole} />
        <DialogActions cancel="Cancel" submit="Add" isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

export function RoleChoice({ role, setRole }: { role: Role; setRole: (role: Role) => void }) {
  return (
    <fieldset class={forms.choices}>
      <legend>Role</legend>
      {ROLES.toReversed().map((each) => (
        <Choice
          key={each}
          type="radio"
          name="role"
          value={each}
          label={ROLE_NAMES[each]}
          text={ROLE_HINTS[each]}
          isChecked={each === role}
          onChange={() => setRole(each)}
        />
      ))}
    </fieldset>
  )
}
