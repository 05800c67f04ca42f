/** Shows and changes what an app may take. */
import { useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { explainWrongPassword } from '../../ui/explain-wrong-password.ts'
import { FormError } from '../../ui/notice.tsx'
import { canUsePasskeys, sendSigned } from '../../ui/passkeys/browser-passkeys.ts'
import { choosePasskeyTexts } from '../../ui/passkeys/messages.ts'
import type { NoResponse, Refusal } from '../../ui/request.ts'
import { type Explanation, type FormErrors, useForm } from '../../ui/use-form.ts'
import { UserName } from '../../ui/user-name.tsx'
import { createAmountText, isAmount } from '../amount-text.ts'
import type { Account } from '../calls.ts'
import type { Messages } from '../messages-en.ts'
import { CurrentPasswordField } from '../form-parts.tsx'
import { OptionalField } from '../optional-field.tsx'
import { usePage } from '../page-context.ts'
import { readTimeZone } from '../read-time-zone.ts'
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
  const { words, money, day } = usePage()
  if (limit === null) return null
  const texts = words.limits
  const show = (amount: number) => money.plain(amount, currency)
  const { singleMax, dayMax, weekMax, monthMax, lastDay } = limit
  const lines = [
    singleMax !== null && texts.shownSingle(show(singleMax)),
    dayMax !== null && texts.shownDay(show(limit.daySpent), show(dayMax)),
    weekMax !== null && texts.shownWeek(show(limit.weekSpent), show(weekMax)),
    monthMax !== null && texts.shownMonth(show(limit.monthSpent), show(monthMax)),
    // Without a zone, it is a time of this browser's zone.
    lastDay !== null && texts.shownLastDay(day.date(`${lastDay}T12:00`)),
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
  const { words, call, locales } = usePage()
  const texts = words.limits
  const { limit, clientId } = app
  const timeZone = readTimeZone()
  const { read } = createAmountText(locales)
  const passkeyTexts = choosePasskeyTexts(words)
  // The service knows whether a change lets the app take more; then it asks for the password or a passkey.
  const [isAsked, setIsAsked] = useState(false)
  const usesPasskey = useRef(false)
  let isLimited = false
  const { errors, isBusy, formProps } = useForm({
    check: (values) => {
      const isMissing = isAsked && !usesPasskey.current && !values['password']
      const password = isMissing ? words.fieldErrors.password : ''
      return { ...checkAmounts(values, read, texts.amountError), password }
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
        passkeyTexts,
      )
    },
    explain: (result) => {
      const isUnconfirmed = !result.offline && result.code === 'CONFIRMATION_REQUIRED'
      setIsAsked(isAsked || isUnconfirmed)
      return isUnconfirmed ? { errors: { form: texts.confirm } } : explain(result, words)
    },
    done: () => void onDone(isLimited),
  })
  return (
    <Dialog title={texts.title(app.name)} isBusy={isBusy} onClose={onClose}>
      <p>{texts.lead}</p>
      <form class={settings.form} {...formProps}>
        <FormError text={errors['form']} />
        <AmountFields limit={limit} errors={errors} />
        <OptionalField
          name="lastDay"
          isDay
          label={texts.lastDay}
          value={limit?.lastDay ?? ''}
          hint={texts.lastDayHint}
          error={errors['lastDay']}
        />
        <p class={base.muted}>{texts.zone(timeZone)}</p>
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
        <DialogActions cancel={words.cancel} submit={words.save} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

function checkAmounts(values: Values, read: (text?: string) => string, error: string): FormErrors {
  const isFine = (text: string) => text === '' || isAmount(text)
  return Object.fromEntries(AMOUNTS.map((name) => [name, isFine(read(values[name])) ? '' : error]))
}

function explain(result: Refusal | NoResponse, words: Messages): Explanation {
  const { amountError, dayError: lastDay } = words.limits
  const amounts = Object.fromEntries(AMOUNTS.map((name) => [name, amountError]))
  const refused = { ...words.refused, ...amounts, lastDay }
  const errors = { ...words.errors, PASSKEY_INVALID: choosePasskeyTexts(words).invalid }
  const fields = [...AMOUNTS, 'lastDay', 'password']
  return explainWrongPassword(result, { ...words, errors, refused }, fields)
}

interface AmountFieldsProps {
  limit: App['limit']
  errors: FormErrors
}

function AmountFields({ limit, errors }: AmountFieldsProps) {
  const { words, locales } = usePage()
  const { single, day, week, month } = words.limits
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
  const { words, data } = usePage()
  return (
    <>
      <UserName email={email} />
      <CurrentPasswordField label={words.fields.password} error={error} />
      {canUsePasskeys(data.passkeyHost) && (
        <Button kind="secondary" isBusy={isBusy} onClick={onPasskey}>
          {words.limits.confirmByPasskey}
        </Button>
      )}
    </>
  )
}
