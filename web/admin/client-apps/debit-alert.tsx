import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done } from '../../ui/done.tsx'
import { FormFault } from '../../ui/notice.tsx'
import { useForm } from '../../ui/use-form.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { AmountField } from '../kit/amount-field.tsx'
import { Choice } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import type { TabProps } from './tab.ts'
import * as forms from '../kit/forms.module.css'

/** Separate from the other settings, because it takes effect without a second operator. */
export function DebitAlertForm({ app, reload }: TabProps) {
  const { call } = usePage()
  const mayChange = useMay('operator')
  const texts = words.debitAlert
  const [above, setAbove] = useState(String(app.debitAlert.above ?? ''))
  const [pauses, setPauses] = useState(app.debitAlert.pauses)
  const [done, setDone] = useState('')
  const { faults, isBusy, formProps } = useForm({
    check: () => ({ above: isAmount(above.trim()) ? '' : words.faults.creditLimit }),
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
      setDone(above.trim() ? texts.done : texts.none)
      void reload()
    },
  })
  return (
    <form class={`${forms.form} ${forms.formWide}`} {...formProps}>
      <h2>{texts.title}</h2>
      <fieldset class={forms.plain} disabled={!mayChange}>
        <AmountField
          name="above"
          label={texts.label}
          value={above}
          error={faults['above']}
          hint={texts.hint}
          onChange={setAbove}
        />
        <fieldset class={forms.choices}>
          <legend>{texts.actions}</legend>
          <Choice
            type="checkbox"
            name="pauses"
            value="on"
            label={texts.pauses}
            text={texts.pausesHint}
            isChecked={pauses}
            onChange={setPauses}
          />
        </fieldset>
      </fieldset>
      <FormFault text={faults['form']} />
      {mayChange && (
        <div class={forms.formEnd}>
          <Button type="submit" kind="secondary" isBusy={isBusy}>
            {texts.submit}
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
