/** What was sent to a webhook, and how the receiver responded. */
import { useState } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import { Done, FormError } from '../../ui/notice.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import type { Delivery } from '../calls.ts'
import { explainAsText } from '../explain-refusal.ts'
import { Badge } from '../kit/badge.tsx'
import { Snippet } from '../kit/copy.tsx'
import { DisclosureRow } from '../kit/disclosure-row.tsx'
import { SelectField } from '../kit/form-parts.tsx'
import { type Column, Empty, List } from '../kit/list-parts.tsx'
import { Time } from '../kit/time.tsx'
import { toListed, useList } from '../kit/use-read.ts'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './webhooks.module.css'

const STATES = { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' }

const COLUMNS: readonly Column[] = [
  { name: 'Event' },
  { name: 'Type' },
  { name: 'Number', isNumber: true, isMinor: true },
  { name: 'State' },
  { name: 'Attempts', isNumber: true, isMinor: true },
]
const KINDS = { waiting: 'warning', delivered: 'good', failed: 'danger' } as const
type State = Delivery['state']

interface DeliveriesProps {
  clientId: string
  webhookId: string
  /** A new number reads the list again. */
  changes: number
}

export function Deliveries({ clientId, webhookId, changes }: DeliveriesProps) {
  const { call } = usePage()
  const [state, setState] = useState<State | undefined>(undefined)
  const [count, setCount] = useState(0)
  const list = useList(`${webhookId} ${state} ${changes} ${count}`, async (cursor) =>
    toListed(
      await call('GET /api/admin/webhooks/deliveries', {
        clientId,
        webhookId,
        ...(state && { state }),
        ...(cursor && { cursor }),
      }),
      ({ deliveries }) => deliveries.map((each) => ({ ...each, key: each.eventId })),
    ),
  )
  return (
    <section class={parts.part}>
      <div class={styles.head}>
        <h2>Deliveries</h2>
        <SelectField
          name="state"
          label="Delivery state"
          value={state ?? ''}
          options={[['', 'Any'], ...Object.entries(STATES)]}
          onChange={(value) => setState(value === '' ? undefined : (value as State))}
        />
      </div>
      <List
        list={list}
        label="Deliveries"
        columns={COLUMNS}
        isFiltered={state !== undefined}
        empty={
          <Empty
            title="No deliveries yet"
            text="The next event of the app appears here. Send a test event to try the receiver."
          />
        }
        renderRow={(delivery) => (
          <DisclosureRow
            key={delivery.key}
            id={delivery.key}
            at={delivery.createdAt}
            columnCount={COLUMNS.length}
            renderDetails={() => (
              <Details
                which={{ clientId, webhookId }}
                delivery={delivery}
                onSent={() => setCount(count + 1)}
              />
            )}
          >
            <td>
              <code>{delivery.type}</code>
            </td>
            <td class={`${table.number} ${table.minor}`}>{delivery.sequence}</td>
            <td>
              <Badge kind={KINDS[delivery.state]}>{STATES[delivery.state]}</Badge>
            </td>
            <td class={`${table.number} ${table.minor}`}>{delivery.attempts.length}</td>
          </DisclosureRow>
        )}
      />
    </section>
  )
}

interface DetailsProps {
  which: { clientId: string; webhookId: string }
  delivery: Delivery
  onSent: () => void
}

function Details({ which, delivery, onSent }: DetailsProps) {
  const { call } = usePage()
  const mayChange = useMay('operator')
  const [error, setError] = useState('')
  const [done, setDone] = useState('')
  const { eventId, nextAttemptAt, attempts, body } = delivery
  const [, send] = useBusy(async () => {
    setError('')
    const result = await call('POST /api/admin/webhooks/resend', { ...which, eventId })
    if (!result.ok) return setError(explainAsText(result))
    setDone('The event is sent again.')
    onSent()
  })
  return (
    <div class={table.details}>
      <Attempts attempts={attempts} />
      {nextAttemptAt && (
        <p>
          Next attempt: <Time at={nextAttemptAt} />
        </p>
      )}
      {body && <Snippet title="Body" text={JSON.stringify(JSON.parse(body), null, 2)} />}
      {mayChange && <TextButton onClick={send}>Send again</TextButton>}
      <FormError text={error} />
      {done && <Done text={done} />}
    </div>
  )
}

function Attempts({ attempts }: Pick<Delivery, 'attempts'>) {
  if (attempts.length === 0) return <p class={base.muted}>No attempt yet.</p>
  return (
    <ol class={styles.attempts} aria-label="Attempts">
      {attempts.map(({ at, status, error, durationMs, response }) => (
        <li key={at}>
          <span>
            <Time at={at} isNamed /> · {describeAttempt(status, durationMs)}
          </span>
          {error && <span class={base.muted}>{error}</span>}
          {response && <code aria-label="Response">{response}</code>}
        </li>
      ))}
    </ol>
  )
}

function describeAttempt(status: number | null, ms: number): string {
  return status === null ? `No response after ${ms} ms` : `${status} after ${ms} ms`
}
