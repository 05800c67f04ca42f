import { useState } from 'preact/hooks'
import { useBusy } from '../../ui/use-busy.ts'
import { FormError } from '../../ui/notice.tsx'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { Operator, OperatorChange } from '../calls.ts'
import { explainAsText } from '../explain-refusal.ts'
import { Choice } from '../kit/form-parts.tsx'
import { RoleChoice } from './create.tsx'
import { usePage } from '../page-context.ts'
import { ROLE_NAMES } from '../operator-context.ts'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'

const ACTIONS = ['role', 'activity', 'authenticator'] as const
type Action = (typeof ACTIONS)[number]

interface ChangeOperatorProps {
  operator: Operator
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

/** One change at a time, each with an explanation. */
export function ChangeOperator({ operator, onClose, onDone }: ChangeOperatorProps) {
  const { call } = usePage()
  const { id, name, isActive } = operator
  const [action, setAction] = useState<Action>('role')
  const [role, setRole] = useState(operator.role)
  const [error, setError] = useState('')
  const labels: Record<Action, string> = {
    role: 'Role',
    activity: isActive ? 'Deactivate' : 'Activate',
    authenticator: 'Reset authenticator',
  }
  const hints: Record<Action, string> = {
    role: `Currently: ${ROLE_NAMES[operator.role]}.`,
    activity: isActive
      ? 'The operator is logged out immediately and cannot log in until activated again.'
      : 'The operator can log in again with the same password, authenticator and passkeys.',
    authenticator:
      'For a lost device: the next login sets up a new one. Old codes and passkeys stop working.',
  }
  const changes: Record<Action, Omit<OperatorChange, 'id'>> = {
    role: { role },
    activity: { isActive: !isActive },
    authenticator: { resetAuthenticator: true },
  }
  const [isBusy, change] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/admin/operators/change', { id, ...changes[action] })
    if (result.ok) await onDone(`${name} was updated.`)
    else setError(explainAsText(result))
  })
  return (
    <Dialog
      title={`Change ${name}`}
      isBusy={isBusy}
      isDestructive={action !== 'role' && !(action === 'activity' && !isActive)}
      onClose={onClose}
    >
      <fieldset class={forms.choices}>
        <legend class={base.visuallyHidden}>What to change</legend>
        {ACTIONS.map((each) => (
          <Choice
            key={each}
            type="radio"
            name="action"
            value={each}
            label={labels[each]}
            text={hints[each]}
            isChecked={each === action}
            onChange={() => setAction(each)}
          />
        ))}
      </fieldset>
      {action === 'role' && <RoleChoice role={role} setRole={setRole} />}
      <FormError text={error} />
      <DialogActions
        cancel="Cancel"
        submit={action === 'role' ? 'Save role' : labels[action]}
        isBusy={isBusy}
        onSubmit={change}
      />
    </Dialog>
  )
}
