/** One webhook: its state, what can be done with it, and its deliveries. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Done, FormError, Notice } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { Webhook } from '../calls.ts'
import { explainAsText } from '../explain-refusal.ts'
import { BackIcon } from '../kit/icons.tsx'
import { formatUtc } from '../kit/format-time.ts'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookDialog } from './form.tsx'
import { ReplayDialog } from './replay.tsx'
import { RotateSecretDialog } from './secret.tsx'
import { stateOf, WebhookState } from './state.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from './webhooks.module.css'

const STATE_HINTS = {
  failing:
    'The last deliveries failed. They are repeated for about three days; after five days without a success the webhook is disabled.',
  gone: 'The receiver responded with the status 410. Change the URL or repair the receiver, then switch the webhook on and send the missed events again.',
  failing_long:
    'Every delivery failed for five days. Repair the receiver, then switch the webhook on and send the missed events again.',
  switched_off: 'It gets no events until it is switched on.',
  secret_ended:
    'The client secret that created or last changed it was revoked. Check that the URL belongs to the app before you switch it on.',
}

interface WebhookPageProps {
  clientId: string
  webhook: Webhook
  reload: () => Promise<void>
  onDeleted: () => Promise<void>
}

export function WebhookPage({ clientId, webhook, reload, onDeleted }: WebhookPageProps) {
  const mayChange = useMay('operator')
  const [done, setDone] = useState('')
  const [changes, setChanges] = useState(0)
  const state = stateOf(webhook)
  async function onChanged(text: string) {
    await reload()
    setDone(text)
    setChanges((count) => count + 1)
  }
  return (
    <div class={parts.part}>
      <Link class={parts.back} to={paths.webhooks(clientId)}>
        <BackIcon />
        All webhooks
      </Link>
      <div class={parts.partHead}>
        <div class={parts.appTitle}>
          <h2 class={styles.url}>{webhook.url}</h2>
          <p class={parts.appId}>
            <WebhookState webhook={webhook} />
            {webhook.description && (
              <span class={base.muted} dir="auto">
                {webhook.description}
              </span>
            )}
            {webhook.isOwn && (
              <span class={base.muted}>Created or changed by the app with a secret</span>
            )}
          </p>
        </div>
      </div>
      {state !== 'on' && <Notice kind="warning">{STATE_HINTS[state]}</Notice>}
      {webhook.oldSecretUntil && (
        <p class={base.muted}>
          Requests are also signed with the old secret until {formatUtc(webhook.oldSecretUntil)}{' '}
          UTC.
        </p>
      )}
      {mayChange && (
        <Actions
          clientId={clientId}
          webhook={webhook}
          onChanged={onChanged}
          onDeleted={onDeleted}
        />
      )}
      {done && <Done text={done} takesFocus />}
      <Deliveries clientId={clientId} webhookId={webhook.id} changes={changes} />
    </div>
  )
}

interface ActionsProps {
  clientId: string
  webhook: Webhook
  onChanged: (text: string) => Promise<void>
  onDeleted: () => Promise<void>
}

function Actions({ clientId, webhook, onChanged, onDeleted }: ActionsProps) {
  const [asked, setAsked] = useState<'change' | 'rotate' | 'replay' | 'delete' | null>(null)
  const close = () => setAsked(null)
  const which = { clientId, webhookId: webhook.id }
  return (
    <div class={parts.headActions}>
      <TestButton {...which} />
      <Button kind="secondary" onClick={() => setAsked('replay')}>
        Send missed events again
      </Button>
      <Button kind="secondary" onClick={() => setAsked('change')}>
        Change webhook
      </Button>
      <Button kind="secondary" onClick={() => setAsked('rotate')}>
        Rotate secret
      </Button>
      <Button kind="secondary" onClick={() => setAsked('delete')}>
        Delete
      </Button>
      {asked === 'change' && (
        <WebhookDialog
          clientId={clientId}
          webhook={webhook}
          onClose={close}
          onDone={() => onChanged('Saved.')}
        />
      )}
      {asked === 'rotate' && (
        <RotateSecretDialog {...which} reload={() => onChanged('')} onClose={close} />
      )}
      {asked === 'replay' && <ReplayDialog {...which} onClose={close} onDone={onChanged} />}
      {asked === 'delete' && <DeleteDialog {...which} onClose={close} onDone={onDeleted} />}
    </div>
  )
}

interface Which {
  clientId: string
  webhookId: string
}

function TestButton(which: Which) {
  const { call } = usePage()
  const [result, setResult] = useState<{ text: string; isGood: boolean } | null>(null)
  const [isBusy, send] = useBusy(async () => {
    setResult(null)
    const sent = await call('POST /api/admin/webhooks/test', which)
    if (!sent.ok) return setResult({ text: explainAsText(sent), isGood: false })
    const { status, error, durationMs } = sent.data
    setResult(
      error === null
        ? { text: `The receiver responded with ${status ?? 0} in ${durationMs} ms.`, isGood: true }
        : { text: `The test event did not arrive. ${error}`, isGood: false },
    )
  })
  return (
    <>
      <Button isBusy={isBusy} onClick={send}>
        Send a test event
      </Button>
      {result && (
        <Dialog title="Test event" isBusy={false} onClose={() => setResult(null)}>
          {result.isGood ? <p>{result.text}</p> : <Notice kind="warning">{result.text}</Notice>}
          <Button onClick={() => setResult(null)}>Close</Button>
        </Dialog>
      )}
    </>
  )
}

interface DeleteProps extends Which {
  onClose: () => void
  onDone: () => Promise<void>
}

function DeleteDialog({ onClose, onDone, ...which }: DeleteProps) {
  const { call } = usePage()
  const [error, setError] = useState('')
  const [isBusy, remove] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/admin/webhooks/delete', which)
    if (result.ok) await onDone()
    else setError(explainAsText(result))
  })
  return (
    <Dialog title="Delete this webhook?" isBusy={isBusy} isDestructive onClose={onClose}>
      <p>
        It receives no more events, and waiting events are not sent. They stay in the feed of the
        app for 30 days.
      </p>
      <FormError text={error} />
      <DialogActions cancel="Cancel" submit="Delete webhook" isBusy={isBusy} onSubmit={remove} />
    </Dialog>
  )
}
