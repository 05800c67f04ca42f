import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done, FormError } from '../../ui/notice.tsx'
import { explainRefusal } from '../../ui/explain-refusal.ts'
import { useForm } from '../../ui/use-form.ts'
import { createAmountText, isAmount } from '../amount-text.ts'
import { OptionalField } from '../form-parts.tsx'
import { usePage, type SectionProps } from '../page-context.ts'
import * as styles from './settings.module.css'

const FIELDS = ['paymentMin', 'balanceMin'] as const

/** Emails about large payments and a low balance. */
export function AlertsPart({ account, reload }: SectionProps) {
  const { messages, call, locales } = usePage()
  const { profile } = messages
  const { read, write } = createAmountText(locales)
  const [isDone, setIsDone] = useState(false)
  const { errors, isBusy, formProps } = useForm({
    check: (values) => {
      setIsDone(false)
      return Object.fromEntries(
        FIELDS.map((name) => {
          const text = read(values[name])
          const isGood = text === '' || (isAmount(text) && Number(text) > 0)
          return [name, isGood ? '' : profile.alertError]
        }),
      )
    },
    send: (values) => {
      const given = FIELDS.map((name) => [name, read(values[name])]).filter(([, text]) => text)
      return call('POST /api/account/alerts', Object.fromEntries(given))
    },
    explain: (result) => {
      const { alertError } = profile
      const refused = { ...messages.refused, paymentMin: alertError, balanceMin: alertError }
      return explainRefusal(result, { ...messages, refused }, FIELDS)
    },
    done: () => {
      setIsDone(true)
      void reload()
    },
  })
  return (
    <form class={styles.form} {...formProps}>
      <FormError text={errors['form']} />
      {FIELDS.map((name) => (
        <OptionalField
          key={name}
          name={name}
          label={profile[name](account.currency)}
          value={write(account.alerts[name])}
          hint={profile.alertHint}
          error={errors[name]}
        />
      ))}
      <div class={styles.formEnd}>
        <Button kind="secondary" type="submit" isBusy={isBusy}>
          {messages.save}
        </Button>
        {isDone && <Done text={messages.saved} />}
      </div>
    </form>
  )
}
