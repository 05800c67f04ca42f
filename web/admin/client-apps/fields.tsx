/** The settings fields of a client app, for registration and for changes. */
import { Field } from '../../ui/field.tsx'
import type { FormErrors } from '../../ui/use-form.ts'
import { AccentField } from './accent-field.tsx'
import { type AppDraft, LISTS, SCOPES } from './draft.ts'
import { Choice } from '../kit/form-parts.tsx'
import { OriginList } from './origin-list.tsx'
import * as forms from '../kit/forms.module.css'

const SCOPE_HINTS = {
  'wallet:read': 'Read wallets, check balances and open the widget for linked users.',
  'wallet:write': 'Debit and credit the wallets of linked users.',
}

export const CREDIT_LIMIT_MEANING =
  'The maximum by which credits of the app may exceed its debits. Further credits are refused.'

interface AppFieldsProps {
  draft: AppDraft
  errors: FormErrors
  isReadOnly?: boolean
  change: (part: Partial<AppDraft>) => void
}

export function AppFields({ draft, errors, isReadOnly = false, change }: AppFieldsProps) {
  return (
    <fieldset class={forms.plain} disabled={isReadOnly}>
      <Field
        name="name"
        label="Name"
        hint="People see this name when they connect their wallet."
        autoComplete="off"
        value={draft.name}
        error={errors['name']}
        onInput={(input) => change({ name: input.value })}
      />
      <AccentField
        value={draft.accentColor}
        error={errors['accentColor']}
        isReadOnly={isReadOnly}
        onChange={(accentColor) => change({ accentColor })}
      />
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
            isChecked={draft.scopes.includes(scope)}
            onChange={(isChecked) =>
              change({
                scopes: SCOPES.filter((each) =>
                  each === scope ? isChecked : draft.scopes.includes(each),
                ),
              })
            }
          />
        ))}
      </fieldset>
      {LISTS.map((list) => (
        <OriginList
          key={list}
          name={list}
          value={draft[list]}
          error={errors[list]}
          isReadOnly={isReadOnly}
          onChange={(next) => change({ [list]: next })}
        />
      ))}
      <Field
        name="contactEmails"
        label="Contacts"
        hint="Email addresses of the app’s developers, separated by commas. They are notified of changes, and they receive the new secret if you replace a leaked one."
        autoComplete="off"
        value={draft.contactEmails}
        error={errors['contactEmails']}
        onInput={(input) => change({ contactEmails: input.value })}
      />
      <MismatchField draft={draft} change={change} />
      <BalanceEventsField draft={draft} change={change} />
    </fieldset>
  )
}

function MismatchField({ draft, change }: Pick<AppFieldsProps, 'draft' | 'change'>) {
  return (
    <fieldset class={forms.choices}>
      <legend>Repeated requests</legend>
      <Choice
        type="checkbox"
        name="onMismatch"
        value="conflict"
        label="Refuse a repeat that differs from the first request"
        text="A reference that is used again with other values gets 409 REFERENCE_MISMATCH. Otherwise it gets the result of the first request, and an app that ignores the header Idempotency-Mismatch mistakes it for success."
        isChecked={draft.refusesMismatches}
        onChange={(refusesMismatches) => change({ refusesMismatches })}
      />
    </fieldset>
  )
}

function BalanceEventsField({ draft, change }: Pick<AppFieldsProps, 'draft' | 'change'>) {
  return (
    <fieldset class={forms.choices}>
      <legend>Balances</legend>
      <Choice
        type="checkbox"
        name="getsBalanceEvents"
        value="on"
        label="Send the event balance.changed"
        text="The app learns the new balance of a linked wallet a few seconds after something else changed it: a top-up, another app or an operator. The event does not say what it was. The app needs the scope wallet:read."
        isChecked={draft.getsBalanceEvents}
        onChange={(getsBalanceEvents) => change({ getsBalanceEvents })}
      />
    </fieldset>
  )
}
