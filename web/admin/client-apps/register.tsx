import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormFault } from '../../ui/notice.tsx'
import { AmountField } from '../kit/amount-field.tsx'
import { AppCreated, type Credentials } from './created.tsx'
import { type AppDraft, newDraft, toSettings } from './draft.ts'
import { AppFields } from './fields.tsx'
import { notifyGrantsChanged } from '../kit/approvals-count.tsx'
import { Choice } from '../kit/form-parts.tsx'
import { BackIcon } from '../kit/icons.tsx'
import { words } from '../messages.ts'
import { OriginTaken } from './origin-taken.tsx'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { useAppForm } from './use-form.ts'
import { ButtonLink } from '../kit/button-link.tsx'
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
        {words.nav.apps}
      </Link>
      {created ? <AppCreated {...created} /> : <RegisterForm onDone={finish} />}
    </div>
  )
}

function RegisterForm({ onDone }: { onDone: (created: Credentials) => void }) {
  const { call } = usePage()
  const { draft, change, faults, isBusy, isTaken, insist, formProps } = useAppForm({
    initial: newDraft,
    send: (sent, insistence) =>
      call('POST /api/admin/client-apps', {
        ...toSettings(sent),
        creditLimit: sent.isUnlimited ? 'unlimited' : sent.creditLimit.trim(),
        ...insistence,
      }),
    done: (response) => onDone({ ...response, name: draft.name.trim() }),
  })
  return (
    <>
      <h1 class={parts.sectionTitle} tabIndex={-1}>
        {words.apps.register}
      </h1>
      <form class={`${forms.form} ${forms.formWide}`} {...formProps}>
        <AppFields draft={draft} faults={faults} change={change} />
        <LimitChoice draft={draft} fault={faults['creditLimit']} change={change} />
        <FormFault text={faults['form']} />
        {isTaken && <OriginTaken isBusy={isBusy} onInsist={insist} />}
        <div class={forms.formEnd}>
          <Button type="submit" isBusy={isBusy}>
            {words.apps.registerSubmit}
          </Button>
          <ButtonLink kind="secondary" to={paths.apps}>
            {words.cancel}
          </ButtonLink>
        </div>
      </form>
    </>
  )
}

interface LimitChoiceProps {
  draft: AppDraft
  fault: string | undefined
  change: (part: Partial<AppDraft>) => void
}

function LimitChoice({ draft, fault, change }: LimitChoiceProps) {
  return (
    <fieldset class={forms.choices}>
      <legend>{words.limit.label}</legend>
      <p class={field.hint}>{words.limit.meaning}</p>
      <Choice
        type="radio"
        name="limitMode"
        value="limited"
        label={words.limit.limited}
        text={words.limit.limitedHint}
        isChecked={!draft.isUnlimited}
        onChange={() => change({ isUnlimited: false })}
      />
      {!draft.isUnlimited && (
        <AmountField
          name="creditLimit"
          label={words.limit.label}
          value={draft.creditLimit}
          error={fault}
          onChange={(creditLimit) => change({ creditLimit })}
        />
      )}
      <Choice
        type="radio"
        name="limitMode"
        value="unlimited"
        label={words.limit.unlimited}
        text={words.limit.unlimitedHint}
        isChecked={draft.isUnlimited}
        onChange={() => change({ isUnlimited: true })}
      />
      <p class={field.hint}>{words.limit.second}</p>
      <p class={field.hint}>{words.limit.forGood}</p>
    </fieldset>
  )
}
