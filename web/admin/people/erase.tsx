import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Notice, FormFault } from '../../ui/notice.tsx'
import type { Refusal, NoResponse } from '../../ui/request.ts'
import { type Explanation, useForm } from '../../ui/use-form.ts'
import { DialogActions, Dialog } from '../../ui/dialog.tsx'
import type { Person } from '../calls.ts'
import { explainRefusal } from '../explain-refusal.ts'
import { faultOfReason, ReasonField } from '../kit/form-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { nameOf } from '../kit/person-name.ts'
import * as base from '../../ui/base.module.css'
import * as dialog from '../../ui/dialog.module.css'
import * as forms from '../kit/forms.module.css'
import * as parts from '../kit/parts.module.css'

const texts = words.erase

interface EraseDialogProps {
  person: Person
  reload: () => Promise<void>
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

export function EraseDialog(props: EraseDialogProps) {
  const { money } = usePage()
  const { balance, debt, currency } = props.person
  if (balance > 0)
    return <NotYet {...props} text={texts.notEmpty(money.plain(balance, currency))} />
  if (debt > 0) return <NotYet {...props} text={texts.inDebt(money.plain(debt, currency))} />
  return <Erase {...props} />
}

function NotYet({ person, text, onClose }: EraseDialogProps & { text: string }) {
  return (
    <Dialog title={texts.title(nameOf(person))} isBusy={false} onClose={onClose}>
      <Notice kind="warning">{text}</Notice>
      <div class={dialog.answers}>
        <Button kind="secondary" onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </Dialog>
  )
}

function Erase({ person, reload, onClose, onDone }: EraseDialogProps) {
  const { call } = usePage()
  const [reason, setReason] = useState('')
  const { faults, isBusy, formProps } = useForm({
    check: () => ({ reason: faultOfReason(reason) }),
    async send() {
      const result = await call('POST /api/admin/people/erase', {
        id: person.id,
        reason: reason.trim(),
      })
      // Apps may be unlinked although the person was not erased.
      if (!result.ok) await reload()
      return result
    },
    explain,
    done: () => void onDone(texts.done),
  })
  return (
    <Dialog title={texts.title(nameOf(person))} isBusy={isBusy} isDanger onClose={onClose}>
      <p>{texts.text}</p>
      <ul class={parts.bullets}>
        {texts.effects.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p class={base.muted}>{texts.reasonHint}</p>
      <form class={forms.form} {...formProps}>
        <FormFault text={faults['form']} />
        <ReasonField value={reason} error={faults['reason']} onChange={setReason} />
        <p class={isBusy ? base.muted : base.visuallyHidden} role="status">
          {isBusy ? texts.wait : ''}
        </p>
        <DialogActions cancel={words.cancel} submit={texts.submit} isBusy={isBusy} />
      </form>
    </Dialog>
  )
}

function explain(result: Refusal | NoResponse): Explanation {
  const own = result.offline ? undefined : texts.refused[result.code ?? '']
  return own === undefined ? explainRefusal(result, ['reason']) : { faults: { form: own } }
}
