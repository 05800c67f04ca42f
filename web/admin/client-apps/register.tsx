import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/notice.tsx'
import { AmountField } from '../kit/amount-field.tsx'
import { AppCreated, type Credentials } from './created.tsx'
import { type AppDraft, newDraft, toSettings } from './draft.ts'
import { AppFields, CREDIT_LIMIT_MEANING } from './fields.tsx'
import { notifyGrantsChanged } from '../kit/approvals-count.tsx'
import { Choice } from '../kit/form-parts.tsx'
import { BackIcon } from '../kit/icons.tsx'
import { OriginTaken } from './origin-list.tsx'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { useAppForm } from './use-form.ts'
import { ButtonLink } from '../kit/links.tsx'
import * as field from '../../ui/field.module.css'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'

export function AppRegister() {
  const [created, setCreated] = useState<Credentials | null>(null)
  function finish(next: Credentials) {
    setCreated(next)
    notifyGrantsChanged()
  }
  return (
    <div class={parts.section}>
      <Link class={parts.back} to={paths.apps}>
        <BackIcon />
        Client apps
      </Link>
      {created ? <AppCreated {...created} /> : <RegisterForm onDone={finish} />}
    </div>
  )
}

function RegisterForm({ onDone }: { onDone: (created: Credentials) => void }) {
  const { call } = usePage()
  const { draft, change, errors, isBusy, isTaken, shareParents, formProps } = useAppForm({
    initial: newDraft,
    send: (sent, sharing) =>
      call('POST /api/admin/client-apps', {
        ...toSettings(sent),
        creditLimit: sent.isUnlimited ? 'unlimited' : sent.creditLimit.trim(),
        ...sharing,
      }),
    done: (response) => onDone({ ...response, name: draft.name.trim() }),
  })
  return (
    <>
      <h1 class={parts.sectionTitle} tabIndex={-1}>
        Register a client app
      </h1>
      <form class={`${forms.form} ${forms.formWide}`} {...formProps}>
        <AppFields draft={draft} errors={errors} change={change} />
        <LimitChoice draft={draft} error={errors['creditLimit']} change={change} />
        <FormError text={errors['form']} />
        {isTaken && <OriginTaken isBusy={isBusy} onShare={shareParents} />}
        <div class={forms.formEnd}>
          <Button type="submit" isBusy={isBusy}>
            Register
          </Button>
          <ButtonLink kind="secondary" to={paths.apps}>
            Cancel
          </ButtonLink>
        </div>
      </form>
    </>
  )
}

interface LimitChoiceProps {
  draft: AppDraft
  error: string | undefined
  change: (part: Partial<AppDraft>) => void
}

function LimitChoice({ draft, error, change }: LimitChoiceProps) {
  return (
    <fieldset class={forms.choices}>
      <legend>Credit limit</legend>
      <p class={field.hint}>{CREDIT_LIMIT_MEANING}</p>
      <Choice
        type="radio"
        name="limitMode"
        value="limited"
        label="Up to an amount"
        text="A leaked secret cannot create more money than this. Recommended."
        isChecked={!draft.isUnlimited}
        onChange={() => change({ isUnlimited: false })}
      />
      {!draft.isUnlimited && (
        <AmountField
          name="creditLimit"
          label="Credit limit"
          value={draft.creditLimit}
          error={error}
          onChange={(creditLimit) => change({ creditLimit })}
        />
      )}
      <Choice
        type="radio"
        name="limitMode"
        value="unlimited"
        label="Unlimited"
        text="Credits have no limit. Only for apps that you run yourself. A second operator must always approve this."
        isChecked={draft.isUnlimited}
        onChange={() => change({ isUnlimited: true })}
      />
      <p class={field.hint}>
        The limit counts like a bonus. If your total of the last 24 hours exceeds the threshold, a
        second operator must approve it. Until then, the limit of the new app is 0.
      </p>
      <p class={field.hint}>
        You can change the amount later. Only the command line switches between an amount and
        unlimited.
      </p>
    </fieldset>
  )
}
