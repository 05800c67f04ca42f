import { useId, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FieldNote } from '../../ui/field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { AppChoice } from './app-choice.tsx'
import * as field from '../../ui/field.module.css'
import * as styles from './operation-form.module.css'

/** Used instead of a clientId for operations of the service itself. */
export const SERVICE = 'service'

interface OperationFormProps {
  /** The values in the URL. */
  parameters: Record<string, string>
  lookUp: (parameters: Record<string, string>) => void
}

export function OperationForm({ parameters, lookUp }: OperationFormProps) {
  const [app, setApp] = useState(parameters['app'] ?? '')
  const [type, setType] = useState(parameters['type'] ?? '')
  const [id, setId] = useState(parameters['id'] ?? parameters['transaction'] ?? '')
  const isTransaction = type === '' && /^txn_[0-9a-f]{32}$/.test(id.trim())
  const { errors, formProps } = useForm({
    check: () => ({
      app: app || isTransaction ? '' : 'Choose one of the client apps, or “The service itself”.',
      type: type || isTransaction ? '' : 'Enter the reference type, such as ORDER_PAYMENT.',
      id: id ? '' : 'Enter the reference ID, or a transaction ID that begins with txn_.',
    }),
    // The form only changes the URL; the page then sends the request.
    send: () => Promise.resolve({ ok: true as const, data: null }),
    explain: () => ({ errors: {} }),
    done: () => lookUp(isTransaction ? withApp({ transaction: id.trim() }) : { app, type, id }),
  })
  // A transaction id alone is enough.
  const withApp = (rest: Record<string, string>) => (app ? { app, ...rest } : rest)
  return (
    <search aria-label="Look up an operation">
      <form class={styles.lookUp} {...formProps}>
        <AppChoice
          label="Client app"
          value={app}
          other={{ value: SERVICE, text: 'The service itself' }}
          hint="Type a name and choose an app, or choose “The service itself”."
          error={errors['app']}
          onChange={setApp}
        />
        <TextField
          name="type"
          label="Reference type"
          value={type}
          maxLength={64}
          error={errors['type']}
          onChange={setType}
        />
        <TextField
          name="id"
          label="Reference ID or transaction ID"
          value={id}
          maxLength={255}
          hint="A transaction ID (txn_…) needs no client app and no reference type."
          error={errors['id']}
          onChange={setId}
        />
        <Button type="submit">Look up</Button>
      </form>
    </search>
  )
}

interface TextFieldProps {
  name: string
  label: string
  value: string
  maxLength: number
  hint?: string
  error: string | undefined
  onChange: (value: string) => void
}

function TextField({ name, label, value, maxLength, hint, error, onChange }: TextFieldProps) {
  const id = useId()
  return (
    <div class={field.field}>
      <label for={id}>{label}</label>
      <div class={field.box}>
        <input
          id={id}
          name={name}
          type="text"
          value={value}
          maxLength={maxLength}
          autoComplete="off"
          autoCapitalize="none"
          spellcheck={false}
          aria-invalid={Boolean(error)}
          aria-describedby={error ? `${id}-error` : hint ? `${id}-hint` : undefined}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      </div>
      <FieldNote id={id} error={error} hint={hint} />
    </div>
  )
}
