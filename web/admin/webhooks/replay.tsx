import { useId, useState } from 'preact/hooks'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { FieldNote } from '../../ui/field.tsx'
import { FormError } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { explainAsText } from '../explain-refusal.ts'
import { formatUtc } from '../kit/format-time.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as field from '../../ui/field.module.css'

const DAY_MS = 24 * 60 * 60 * 1000

interface ReplayDialogProps {
  clientId: string
  webhookId: string
  onClose: () => void
  onDone: (text: string) => Promise<void>
}

/** Sends the events since a time again. */
export function ReplayDialog({ clientId, webhookId, onClose, onDone }: ReplayDialogProps) {
  const { call } = usePage()
  const id = useId()
  const [since, setSince] = useState(() => toInput(Date.now() - DAY_MS))
  const [error, setError] = useState('')
  const [problem, setProblem] = useState('')
  const [isBusy, send] = useBusy(async () => {
    const at = Date.parse(`${since}Z`)
    const isValid = at <= Date.now() && at > Date.now() - 31 * DAY_MS
    setProblem(isValid ? '' : 'Choose a time within the last 30 days.')
    setError('')
    if (!isValid) return
    const input = { clientId, webhookId, since: new Date(at).toISOString() }
    const result = await call('POST /api/admin/webhooks/resend', input)
    if (!result.ok) return setError(explainAsText(result))
    const { queued, nextSince } = result.data
    const more = nextSince
      ? ` There are more: send the events since ${formatUtc(nextSince)} UTC again.`
      : ''
    await onDone(countSentAgain(queued) + more)
    onClose()
  })
  return (
    <Dialog title="Send events again" isBusy={isBusy} onClose={onClose}>
      <p class={base.muted}>
        Sends all events since this time whose types the webhook receives, oldest first. Delivered
        ones are sent again too, with the same ids.
      </p>
      <div class={field.field}>
        <label for={id}>Since (UTC)</label>
        <div class={field.box}>
          <input
            id={id}
            type="datetime-local"
            value={since}
            aria-invalid={problem !== ''}
            aria-describedby={problem ? `${id}-error` : undefined}
            onInput={(event) => setSince(event.currentTarget.value)}
          />
        </div>
        <FieldNote id={id} error={problem} hint={undefined} />
      </div>
      <FormError text={error} />
      <DialogActions cancel="Cancel" submit="Send again" isBusy={isBusy} onSubmit={send} />
    </Dialog>
  )
}

/** As the field needs it. All times of the admin area are UTC. */
function toInput(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16)
}

function countSentAgain(count: number): string {
  return count === 1 ? '1 event is sent again.' : `${count} events are sent again.`
}
