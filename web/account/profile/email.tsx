import { useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { CodeField, Field } from '../../ui/field.tsx'
import { isCode, isEmail, useForm } from '../../ui/use-form.ts'
import { Done, FormError } from '../../ui/notice.tsx'
import { explainRefusal, explainWrongPassword } from '../../ui/explain-refusal.ts'
import { CurrentPasswordField } from '../form-parts.tsx'
import { usePage, type SectionProps } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './settings.module.css'

type Step = { name: 'ask' } | { name: 'verify'; email: string; ticket: string }

export function EmailPart({ account, reload }: SectionProps) {
  const { messages } = usePage()
  const [step, setStep] = useState<Step>({ name: 'ask' })
  const [done, setDone] = useState('')
  const [count, setCount] = useState(0)

  async function finish(email: string) {
    setDone(messages.profile.emailChanged(email))
    setStep({ name: 'ask' })
    setCount(count + 1)
    await reload()
  }

  if (step.name === 'verify') {
    const again = () => setStep({ name: 'ask' })
    return <VerifyForm {...step} again={again} done={() => finish(step.email)} />
  }
  return (
    <>
      {done && <Done key={count} text={done} takesFocus />}
      {!done && <p class={base.muted}>{messages.profile.emailNow(account.email)}</p>}
      <AskForm
        key={count}
        done={(email, ticket) => {
          setDone('')
          if (ticket === undefined) void finish(email)
          else setStep({ name: 'verify', email, ticket })
        }}
      />
    </>
  )
}

function AskForm({ done }: { done: (email: string, ticket: string | undefined) => void }) {
  const { messages, call } = usePage()
  const [email, setEmail] = useState('')
  const { errors, isBusy, formProps } = useForm({
    check: (values) => ({
      email: isEmail(values['email']) ? '' : messages.fieldErrors.email,
      password: values['password'] ? '' : messages.fieldErrors.password,
    }),
    send: ({ password = '' }) => call('POST /api/account/email', { email, password }),
    explain: (result) => explainWrongPassword(result, messages, ['email', 'password']),
    done: ({ ticket }) => done(email, ticket),
  })
  return (
    <form class={styles.form} {...formProps}>
      <FormError text={errors['form']} />
      <Field
        name="email"
        type="email"
        label={messages.fields.newEmail}
        autoComplete="email"
        error={errors['email']}
        onInput={(input) => setEmail(input.value)}
      />
      <CurrentPasswordField label={messages.fields.currentPassword} error={errors['password']} />
      <div class={styles.formEnd}>
        <Button kind="secondary" type="submit" isBusy={isBusy}>
          {messages.profile.emailSubmit}
        </Button>
      </div>
    </form>
  )
}

interface VerifyFormProps {
  email: string
  ticket: string
  again: () => void
  done: () => Promise<void>
}

function VerifyForm({ email, ticket, again, done }: VerifyFormProps) {
  const { messages, call } = usePage()
  const { errors, isBusy, formProps } = useForm({
    check: ({ code }) => ({ code: isCode(code) ? '' : messages.fieldErrors.code }),
    send: ({ code = '' }) => call('POST /api/account/email/verify', { ticket, code }),
    explain: (result) => explainRefusal(result, messages, ['code']),
    done: () => void done(),
  })
  return (
    <form class={`${styles.form} ${base.appear}`} {...formProps}>
      <Done text={`${messages.profile.emailSent} ${email}.`} takesFocus />
      <FormError text={errors['form']} />
      <CodeField
        name="code"
        label={messages.fields.code}
        autoComplete="one-time-code"
        hint={messages.profile.emailSpam}
        error={errors['code']}
      />
      <div class={styles.formEnd}>
        <Button type="submit" isBusy={isBusy}>
          {messages.profile.emailConfirm}
        </Button>
        <TextButton onClick={again}>{messages.profile.emailAgain}</TextButton>
      </div>
    </form>
  )
}
