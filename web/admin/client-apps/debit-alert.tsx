import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done, FormError } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import { explainRefusal, errorMessages } from '../explain-refusal.ts'
import { AmountField } from '../kit/amount-field.tsx'
import { Choice } from '../kit/form-parts.tsx'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import type { TabProps } from '../kit/app-tabs.tsx'
import * as forms from '../kit/forms.module.css'

/** Separate from the other settings, because it takes effect without a second operator. */
export function DebitAlertForm({ app, reload }: TabProps) {
  const { call } = usePage()
  const mayChange = useMay('operator')
  const [above, setAbove] = useState(String(app.debitAlert.above ?? ''))
  const [pauses, setPauses] = useState(app.debitAlert.pauses)
  const [done, setDone] = useState('')
  const { errors, isBusy, formProps } = useForm({
    check: () => ({ above: isAmount(above.trim()) ? '' : errorMessages.fieldErrors.creditLimit }),
    send: () => {
      setDone('')
      return call('POST /api/admin/client-apps/debit-alert', {
        clientId: app.clientId,
        above: above.trim() || null,
        pauses,
      })
    },
    explain: (result) => explainRefusal(result, ['above']),
    done: () => {
      setDone(above.trim() ? 'The alert is set.' : 'There is no alert now.')
      void reload()
    },
  })
  return (
    <form class={`${forms.form} ${forms.formWide}`} {...formProps}>
      <h2>Alert about debits</h2>
      <fieldset class={forms.plain} disabled={!mayChange}>
        <AmountField
          name="above"
          label="Debits in one hour"
          value={above}
          error={errors['above']}
          hint="Operators and the contacts of the app are notified when its debits and holds in one hour add up to more than this amount. Leave it empty for no alert."
          onChange={setAbove}
        />
        <fieldset class={forms.choices}>
          <legend>When that happens</legend>
          <Choice
            type="checkbox"
            name="pauses"
            value="on"
            label="Also pause the app"
            text="Its debits and credits stop until an operator resumes them. Otherwise the app continues."
            isChecked={pauses}
            onChange={setPauses}
          />
        </fieldset>
      </fieldset>
      <FormError text={errors['form']} />
      {mayChange && (
        <div class={forms.formEnd}>
          <Button type="submit" kind="secondary" isBusy={isBusy}>
            Set alert
          </Button>
          {done && <Done text={done} />}
        </div>
      )}
    </form>
  )
}

function isAmount(text: string): boolean {
  return text === '' || /^\d{1,9}(\.\d{1,3})?$/.test(text)
}
