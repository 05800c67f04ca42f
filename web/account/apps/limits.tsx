/** Shows and changes what an app may take. */
import { useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { explainWrongPassword } from '../../ui/explain-refusal.ts'
import { FormError } from '../../ui/notice.tsx'
import { canUsePasskeys, sendSigned } from '../../ui/passkeys/browser-passkeys.ts'
import { choosePasskeyMessages } from '../../ui/passkeys/messages.ts'
import type { NoResponse, Refusal } from '../../ui/request.ts'
import { type Explanation, type FormErrors, useForm } from '../../ui/use-form.ts'
import { UserName } from '../../ui/field.tsx'
import { createAmountText, isAmount } from '../amount-text.ts'
import type { Account } from '../calls.ts'
import type { Messages } from '../messages-en.ts'
import { CurrentPasswordField, OptionalField } from '../form-parts.tsx'
import { usePage } from '../page-context.ts'
import { readTimeZone } from '../format-day.ts'
import * as base from '../../ui/base.module.css'
import * as settings from '../profile/settings.module.css'
import * as styles from './limits.module.css'

type App = Account['apps'][number]
type AmountName = 'singleMax' | 'dayMax' | 'weekMax' | 'monthMax'

type Values = Record<string, string>

const AMOUNTS: readonly AmountName[] = ['singleMax', 'dayMax', 'weekMax', 'monthMax']

interface LimitSummaryProps {
  app: App
  currency: string
}

/** The limits of an app, and how much of them is used. */
export function LimitSummary({ app: { limit }, currency }: LimitSummaryProps) {
  const { messages, money, day } = usePage()
  if (limit === null) return null
  const show = (amount: number) => money.plain(amount, currency)
  const { singleMax, dayMax, weekMax, monthMax, lastDay } = limit
  const lines = [
    singleMax !== null && messages.limits.shownSingle(show(singleMax)),
    dayMax !== null && messages.limits.shownDay(show(limit.daySpent), show(dayMax)),
    weekMax !== null && messages.limits.shownWeek(show(limit.weekSpent), show(weekMax)),
    monthMax !== null && messages.limits.shownMonth(show(limit.monthSpent), show(monthMax)),
    // Without a zone, it is a time of this browser's zone.
    lastDay !== null && messages.limits.shownLastDay(day.date(`${lastDay}T12:00`)),
  ].filter((line) => line !== false)
  return (
    <ul class={styles.summary}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

interface LimitsDialogProps {
  app: App
  email: string
  onClose: () => void
  /** Whether the app has a limit now. */
  onDone: (isLimited: boolean) => Promise<void>
}

export function LimitsDialog({ app, email, onClose, onDone }: LimitsDialogProps) {
  const { messages, call, locales } = usePage()
  const { limits } = messages
  const { limit, clientId } = app
  const timeZone = readTimeZone()
  const { read } = createAmountText(locales)
  const passkeyMessages = choosePasskeyMessages(messages)
  // The service knows whether a change lets the app take more; then it asks for the password or a passkey.
  const [isAsked, setIsAsked] = useState(false)
  const usesPasskey = useRef(false)
  let isLimited = false
  const { errors, isBusy, formProps } = useForm({
    check: (values) => {
      const isMissing = isAsked && !usesPasskey.current && !values['password']
      const password = isMissing ? messages.fieldErrors.password : ''
      return { ...checkAmounts(values, read, limits.amountError), password }
    },
    send: ({ password, ...values }) => {
      const given = [
        ...AMOUNTS.map((name) => [name, read(values[name])]),
        ['lastDay', values['lastDay'] ?? ''],
      ].filter(([, text]) => text !== '')
      isLimited = given.length > 0
      const fields = { clientId, timeZone, ...Object.fromEntries(given) }
      if (!usesPasskey.current)
        return call('POST /api/account/spend-limit', { ...fields, ...(password && { password }) })
      return sendSigned(
        () => call('POST /api/account/log-in/passkey'),
        ({ passkey }) => call('POST /api/account/spend-limit', { ...fields, passkey }),
        passkeyMessages,
      )
    },
    explain: (result) => {
      const isUnconfirmed = !result.offline && result.code === 'CONFIRMATION_REQUIRED'
      setIsAsked(isAsked || isUnconfirmed)
      return isUnconfirmed ? { errors: { form: limits.confirm } } : explain(result, messages)
    },
    done: () => void onDone(isLimited),
  })
  return (
    <Dialog title={limits.title(app.name)} isBusy={isBusy} onClose={onClose}>
      <p>{limits.lead}</p>
      <form class={settings.form} {...formProps}>
        <FormError text={errors['form']} />
        <AmountFields limit={limit} errors={errors} />
        <OptionalField
          name="lastDay"
          isDay
          label={limits.lastDay}
          value={limit?.lastDay ?? ''}
          hint={limits.lastDayHint}
          error={errors['lastDay']}
        />
        <p class={base.muted}>{limits.zone(timeZone)}</p>
        {isAsked && (
          <Confirmation
            email={email}
            error={errors['password']}
            isBusy={isBusy}
            onPasskey={() => {
              usesPasskey.current = true
              formProps.ref.current?.requestSubmit()
              usesPasskey.current = false
            }}
          />
        )}
        <DialogActions cancel={messages.cancel} submit={messages.save} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

function checkAmounts(values: Values, read: (text?: string) => string, error: string): FormErrors {
  const isFine = (text: string) => text === '' || isAmount(text)
  return Object.fromEntries(AMOUNTS.map((name) => [name, isFine(read(values[name])) ? '' : error]))
}

function explain(result: Refusal | NoResponse, messages: Messages): Explanation {
  const { amountError, dayError: lastDay } = messages.limits
  const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, amountError]))
  const refused = { ...messages.refused, ...amounts, lastDay }
  const errors = { ...messages.errors, PASSKEY_INVALID: choosePasskeyMessages(messages).invalid }
  const fields = [...AMOUNTS, 'lastDay', 'password']
  return explainWrongPassword(result, { ...messages, errors, refused }, fields)
}

interface AmountFieldsProps {
  limit: App['limit']
  errors: FormErrors
}

function AmountFields({ limit, errors }: AmountFieldsProps) {
  const { messages, locales } = usePage()
  const { single, day, week, month } = messages.limits
  const labels = [single, day, week, month]
  const { write } = createAmountText(locales)
  return (
    <div class={settings.pair}>
      {AMOUNTS.map((name, index) => (
        <OptionalField
          key={name}
          name={name}
          label={labels[index] ?? ''}
          value={write(limit?.[name] ?? null)}
          error={errors[name]}
        />
      ))}
    </div>
  )
}

interface ConfirmationProps {
  email: string
  error: string | undefined
  isBusy: boolean
  onPasskey: () => void
}

function Confirmation({ email, error, isBusy, onPasskey }: ConfirmationProps) {
  const { messages, data } = usePage()
  return (
    <>
      <UserName email={email} />
      <CurrentPasswordField label={messages.fields.password} error={error} />
      {canUsePasskeys(data.passkeyHost) && (
        <Button kind="secondary" isBusy={isBusy} onClick={onPasskey}>
          {messages.limits.confirmByPasskey}
        </Button>
      )}
    </>
  )
}
