/** The webhooks of a client app: the list, or one with its deliveries. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Done } from '../../ui/notice.tsx'
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import type { Webhook } from '../calls.ts'
import { AppTabs } from '../kit/app-tabs.tsx'
import { CopyButton } from '../kit/copy.tsx'
import { BackIcon } from '../kit/icons.tsx'
import { type Column, Empty, ReadFailed, RowPlaceholders, Table } from '../kit/list-parts.tsx'
import { useRead } from '../kit/use-read.ts'
import { NotFound } from '../not-found.tsx'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { paths } from '../paths.ts'
import { Link, navigate } from '../route.tsx'
import { WebhookDialog } from './form.tsx'
import { WebhookPage } from './page.tsx'
import { WebhookState } from './state.tsx'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

const COLUMNS: readonly Column[] = [
  { name: 'URL' },
  { name: 'Events', isMinor: true },
  { name: 'State' },
  { name: 'Waiting', isNumber: true, isMinor: true },
]

interface WebhooksProps {
  clientId: string
  /** The one whose deliveries are shown; undefined: the list. */
  webhookId: string | undefined
}

export function Webhooks({ clientId, webhookId }: WebhooksProps) {
  const { call } = usePage()
  const [done, setDone] = useState('')
  const { response, refusal, reload } = useRead(clientId, () =>
    call('GET /api/admin/webhooks', { clientId }),
  )
  if (refusal && !refusal.offline && refusal.code === 'NOT_FOUND') return <NotFound />
  const chosen = response?.webhooks.find(({ id }) => id === webhookId)
  return (
    <div class={parts.section}>
      <Link class={parts.back} to={paths.apps}>
        <BackIcon />
        Client apps
      </Link>
      <div class={parts.appTitle}>
        <h1 class={parts.sectionTitle} tabIndex={-1} dir="auto">
          {response ? response.name : <TextPlaceholder length={14} />}
          {!response && <span class={base.visuallyHidden}>Loading …</span>}
        </h1>
        <p class={parts.appId}>
          <code class={base.muted}>{clientId}</code>
          <CopyButton text={clientId} what="clientId" />
        </p>
      </div>
      <AppTabs clientId={clientId} current="webhooks" />
      {chosen ? (
        <WebhookPage
          key={chosen.id}
          clientId={clientId}
          webhook={chosen}
          reload={reload}
          onDeleted={async () => {
            navigate(paths.webhooks(clientId))
            await reload()
            setDone('The webhook is deleted.')
          }}
        />
      ) : (
        <div class={parts.part}>
          <ListHead clientId={clientId} reload={reload} onDone={setDone} />
          {done && <Done text={done} takesFocus />}
          {refusal && <ReadFailed retry={reload} />}
          {!refusal && <WebhookList clientId={clientId} webhooks={response?.webhooks} />}
        </div>
      )}
    </div>
  )
}

interface WebhookListProps {
  clientId: string
  /** undefined while it is read. */
  webhooks: readonly Webhook[] | undefined
}

function WebhookList({ clientId, webhooks }: WebhookListProps) {
  if (webhooks?.length === 0)
    return (
      <Empty
        title="No webhooks yet"
        text="Create one to send the events of this app to its server."
      />
    )
  const label = webhooks ? 'Webhooks' : 'Loading …'
  return (
    <Table label={label} columns={COLUMNS}>
      {webhooks ? (
        webhooks.map((webhook) => (
          <WebhookRow key={webhook.id} clientId={clientId} webhook={webhook} />
        ))
      ) : (
        <RowPlaceholders columns={COLUMNS} />
      )}
    </Table>
  )
}

interface ListHeadProps {
  clientId: string
  reload: () => Promise<void>
  onDone: (text: string) => void
}

function ListHead({ clientId, reload, onDone }: ListHeadProps) {
  const mayChange = useMay('operator')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div class={parts.partHead}>
      <p class={`${base.muted} ${parts.partLead}`}>
        Where the app receives its events: top-ups, links, frozen wallets and changes of the app.
        The app can also read them from its feed.
      </p>
      {mayChange && (
        <Button kind="secondary" onClick={() => setIsOpen(true)}>
          Create a webhook
        </Button>
      )}
      {isOpen && (
        <WebhookDialog
          clientId={clientId}
          onClose={() => setIsOpen(false)}
          onDone={async (url) => {
            await reload()
            onDone(`Events are sent to ${url} from now on.`)
          }}
        />
      )}
    </div>
  )
}

function WebhookRow({ clientId, webhook }: { clientId: string; webhook: Webhook }) {
  const { id, url, description, types, waiting } = webhook
  return (
    <tr>
      <th scope="row">
        <Link
          class={table.rowName}
          to={paths.webhook(clientId, id)}
          aria-label={`Deliveries to ${url}`}
        >
          {url}
        </Link>
        {description && (
          <span class={`${table.rowSecond} ${base.muted}`} dir="auto">
            {description}
          </span>
        )}
      </th>
      <td class={table.minor}>{types ? countTypes(types.length) : 'All'}</td>
      <td>
        <WebhookState webhook={webhook} />
      </td>
      <td class={`${table.number} ${table.minor}`}>{countWaiting(waiting)}</td>
    </tr>
  )
}

function countTypes(count: number): string {
  return count === 1 ? '1 type' : `${count} types`
}

function countWaiting(count: number): string {
  return count >= 1_000 ? '1,000 or more' : String(count)
}
