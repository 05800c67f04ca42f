/** The settings fields of a client app, for registration and for changes. */
import { Field } from '../../ui/field.tsx'
import type { Faults } from '../../ui/use-form.ts'
import { AccentField } from './accent-field.tsx'
import { type AppDraft, LISTS, SCOPES } from './draft.ts'
import { Choice } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import { OriginList } from './origin-list.tsx'
import * as forms from '../kit/forms.module.css'

interface AppFieldsProps {
  draft: AppDraft
  faults: Faults
  isReadOnly?: boolean
  change: (part: Partial<AppDraft>) => void
}

export function AppFields({ draft, faults, isReadOnly = false, change }: AppFieldsProps) {
  return (
    <fieldset class={forms.plain} disabled={isReadOnly}>
      <Field
        name="name"
        label={words.fields.appName}
        hint={words.apps.nameHint}
        autoComplete="off"
        value={draft.name}
        error={faults['name']}
        onInput={(input) => change({ name: input.value })}
      />
      <AccentField
        value={draft.accentColor}
        error={faults['accentColor']}
        isReadOnly={isReadOnly}
        onChange={(accentColor) => change({ accentColor })}
      />
      <fieldset class={forms.choices}>
        <legend>{words.scopes.label}</legend>
        {SCOPES.map((scope) => (
          <Choice
            key={scope}
            type="checkbox"
            name="scopes"
            value={scope}
            label={<code>{scope}</code>}
            text={words.scopes[scope]}
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
          error={faults[list]}
          isReadOnly={isReadOnly}
          onChange={(next) => change({ [list]: next })}
        />
      ))}
      <Field
        name="contactEmails"
        label={words.contacts.label}
        hint={words.contacts.hint}
        autoComplete="off"
        value={draft.contactEmails}
        error={faults['contactEmails']}
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
      <legend>{words.onMismatch.label}</legend>
      <Choice
        type="checkbox"
        name="onMismatch"
        value="conflict"
        label={words.onMismatch.refuse}
        text={words.onMismatch.hint}
        isChecked={draft.refusesMismatches}
        onChange={(refusesMismatches) => change({ refusesMismatches })}
      />
    </fieldset>
  )
}

function BalanceEventsField({ draft, change }: Pick<AppFieldsProps, 'draft' | 'change'>) {
  return (
    <fieldset class={forms.choices}>
      <legend>{words.balanceEvents.label}</legend>
      <Choice
        type="checkbox"
        name="getsBalanceEvents"
        value="on"
        label={words.balanceEvents.send}
        text={words.balanceEvents.hint}
        isChecked={draft.getsBalanceEvents}
        onChange={(getsBalanceEvents) => change({ getsBalanceEvents })}
      />
    </fieldset>
  )
}
