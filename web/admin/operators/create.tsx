import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice, FormFault } from '../../ui/notice.tsx'
import { useForm, isEmail } from '../../ui/use-form.ts'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { Role } from '../calls.ts'
import { CopyRow } from '../kit/copy.tsx'
import { explainRefusal } from '../explain-refusal.ts'
import { Choice } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import { ROLES } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import * as dialog from '../../ui/dialog.module.css'
import * as forms from '../kit/forms.module.css'

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
    <Dialog key="made" title={words.operators.createdTitle} isBusy={false} onClose={onClose}>
      <Notice kind="warning">{words.operators.created}</Notice>
      <CopyRow label={words.fields.email} text={made.email} />
      <CopyRow label={words.operators.firstPassword} text={made.password} />
      <div class={dialog.answers}>
        <Button onClick={onClose}>{words.operators.handedOver}</Button>
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
  const { faults, isBusy, formProps } = useForm({
    check: ({ name }) => ({
      name: name?.trim() ? '' : words.faults.name,
      email: isEmail(email) ? '' : words.faults.email,
    }),
    send: ({ name = '' }) => call('POST /api/admin/operators', { email, name: name.trim(), role }),
    explain: (result) => explainRefusal(result, ['name', 'email']),
    done: ({ password }) => onDone({ email, password }),
  })
  return (
    <Dialog key="ask" title={words.operators.create} isBusy={isBusy} onClose={onClose}>
      <form class={forms.form} {...formProps}>
        <FormFault text={faults['form']} />
        <Field name="name" label={words.fields.name} autoComplete="off" error={faults['name']} />
        <Field
          name="email"
          type="email"
          label={words.fields.email}
          autoComplete="off"
          error={faults['email']}
          onInput={(input) => setEmail(input.value.trim())}
        />
        <RoleChoice role={role} setRole={setRole} />
        <DialogActions
          cancel={words.cancel}
          submit={words.operators.createSubmit}
          isBusy={isBusy}
        />
      </form>
    </Dialog>
  )
}

export function RoleChoice({ role, setRole }: { role: Role; setRole: (role: Role) => void }) {
  return (
    <fieldset class={forms.choices}>
      <legend>{words.operators.columns.role}</legend>
      {ROLES.toReversed().map((each) => (
        <Choice
          key={each}
          type="radio"
          name="role"
          value={each}
          label={words.roles[each]}
          text={words.roleHints[each]}
          isChecked={each === role}
          onChange={() => setRole(each)}
        />
      ))}
    </fieldset>
  )
}
