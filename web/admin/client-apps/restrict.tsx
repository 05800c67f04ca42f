import { useState } from 'preact/hooks'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import type { SecretScope } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { Choice } from '../kit/form-parts.tsx'
import { usePage } from '../page-context.ts'
import type { TabProps } from '../kit/app-tabs.tsx'
import { useRotation, SECOND_OPERATOR_HINT } from './use-rotation.tsx'
import * as base from '../../ui/base.module.css'
import * as forms from '../kit/forms.module.css'

const SCOPE_HINTS = {
  'wallet:read': 'Read wallets, balances and operations.',
  'wallet:debit': 'Debit wallets.',
  'wallet:credit': 'Credit wallets.',
  'wallet:refund': 'Refund debits of this app, never more than was debited.',
  'wallet:hold': 'Hold money of wallets, and capture or release it.',
  'webhooks:manage': 'Create, change and delete webhooks. A secret without a restriction cannot.',
}

const SCOPES: readonly SecretScope[] = [
  'wallet:read',
  'wallet:debit',
  'wallet:credit',
  'wallet:refund',
  'wallet:hold',
  'webhooks:manage',
]

interface RestrictDialogProps extends TabProps {
  onClose: () => void
}

/** A new secret that can do less than the app. */
export function RestrictDialog({ app, reload, onClose }: RestrictDialogProps) {
  const { call } = usePage()
  const { clientId } = app
  const [scopes, setScopes] = useState<readonly SecretScope[]>([])
  const [outcome, showOutcome] = useRotation(
    { app, reload },
    'Nothing has changed yet. When it is approved, enter the same values here again within 24 hours to see the secret.',
    onClose,
  )
  const taken = app.secrets.map(({ restriction }) => restriction?.name)
  const { errors, isBusy, formProps } = useForm({
    check: ({ name = '', networks = '' }) => ({
      name: checkName(name.trim(), taken),
      scopes: scopes.length > 0 ? '' : 'Choose at least one scope.',
      networks: readNetworks(networks).every(isNetwork)
        ? ''
        : 'Enter networks such as 203.0.113.0/24 or 2001:db8::/48. One address is 203.0.113.9/32.',
    }),
    send: ({ name = '', networks = '' }) => {
      const restriction = {
        name: name.trim(),
        scopes: [...scopes],
        networks: readNetworks(networks),
      }
      return call('POST /api/admin/client-apps/rotate', { clientId, overlap: '24h', restriction })
    },
    explain: (result) => explainRefusal(result),
    done: (response) => void showOutcome(response),
  })
  if (outcome) return outcome
  return (
    <Dialog key="ask" title="New restricted secret" isBusy={isBusy} onClose={onClose}>
      <form class={forms.form} {...formProps}>
        <p class={base.muted}>
          It can do only part of what the app can do, so a leak does less harm than a leak of the
          unrestricted secret.
        </p>
        {app.isInUse && <p class={base.muted}>{SECOND_OPERATOR_HINT}</p>}
        <Field
          name="name"
          label="Name"
          hint="What it is for, such as refunds. Lowercase letters, digits and hyphens."
          autoComplete="off"
          error={errors['name']}
        />
        <ScopeChoice scopes={scopes} onChange={setScopes} />
        <FormError text={errors['scopes']} />
        <Field
          name="networks"
          label="Networks (optional)"
          hint="Where it can be used, such as 203.0.113.0/24 or 2001:db8::/48, separated by commas. Leave it empty to allow every network."
          autoComplete="off"
          error={errors['networks']}
        />
        <FormError text={errors['form']} />
        <DialogActions cancel="Cancel" submit="Create" isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

interface ScopeChoiceProps {
  scopes: readonly SecretScope[]
  onChange: (scopes: SecretScope[]) => void
}

function ScopeChoice({ scopes, onChange }: ScopeChoiceProps) {
  return (
    <fieldset class={forms.choices}>
      <legend>Scopes</legend>
      {SCOPES.map((scope) => (
        <Choice
          key={scope}
          type="checkbox"
          name="scopes"
          value={scope}
          label={<code>{scope}</code>}
          text={SCOPE_HINTS[scope]}
          isChecked={scopes.includes(scope)}
          onChange={(isChecked) =>
            onChange(SCOPES.filter((each) => (each === scope ? isChecked : scopes.includes(each))))
          }
        />
      ))}
    </fieldset>
  )
}

function readNetworks(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}

/** The service checks it exactly. */
function isNetwork(text: string): boolean {
  return /^[\da-f:.]{3,39}\/[1-9]\d{0,2}$/i.test(text)
}

function checkName(name: string, taken: readonly (string | undefined)[]): string {
  if (taken.includes(name)) {
    return 'A secret with this name exists. Rotate it in the list, or choose another name.'
  }
  const isName = /^[a-z][a-z0-9-]{0,29}$/.test(name)
  return isName ? '' : 'Use 1 to 30 lowercase letters, digits and hyphens, and start with a letter.'
}
