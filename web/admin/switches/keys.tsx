/** Shows what each key still protects, so that no key in use is removed from the configuration. */
import { AppLink } from '../kit/links.tsx'
import { Badge } from '../kit/badge.tsx'
import type { KeysState } from '../calls.ts'
import { type Column, ReadFailed, RowPlaceholders, Table } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import { useRead } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './switches.module.css'

const PEPPERS_TITLE = 'Peppers of client secrets and webhooks'

const OUTDATED_TITLE = 'Not using the newest pepper yet'

const SHOWN_MAX = 100

export function Keys() {
  const { call } = usePage()
  const { response, refusal, reload } = useRead('keys', () => call('GET /api/admin/switches/keys'))
  const outdatedSecrets = response?.outdatedSecrets ?? []
  return (
    <section class={`${parts.part} ${styles.keys}`}>
      <h2>Keys</h2>
      <p class={`${base.muted} ${parts.partLead}`}>
        The keys that protect client secrets, webhooks and authenticators, by their IDs in the
        configuration of the service. The operations guide describes how to replace a key.
      </p>
      {refusal && <ReadFailed retry={reload} />}
      {(response || !refusal) && <KeyTables state={response} />}
      {outdatedSecrets.length > 0 && <OutdatedSecrets apps={outdatedSecrets} />}
    </section>
  )
}

const PEPPER_COLUMNS: readonly Column[] = [
  { name: 'Key' },
  { name: 'State' },
  { name: 'Valid secrets', isNumber: true },
  { name: 'Client apps', isNumber: true },
  { name: 'Webhooks', isNumber: true },
]
const ADMIN_KEY_COLUMNS: readonly Column[] = [
  { name: 'Key' },
  { name: 'State' },
  { name: 'Authenticators', isNumber: true },
  { name: 'Recovery codes of operators', isNumber: true },
]

function KeyTables({ state }: { state: KeysState | null }) {
  return (
    <>
      <h3>{PEPPERS_TITLE}</h3>
      <Table label={PEPPERS_TITLE} columns={PEPPER_COLUMNS}>
        {!state && <RowPlaceholders columns={PEPPER_COLUMNS} />}
        {state?.peppers.map((key) => (
          <KeyRow key={key.id} {...key} counts={[key.liveSecrets, key.clientApps, key.webhooks]} />
        ))}
      </Table>
      <h3>Keys of authenticators</h3>
      <Table label="Keys of authenticators" columns={ADMIN_KEY_COLUMNS}>
        {!state && <RowPlaceholders columns={ADMIN_KEY_COLUMNS} />}
        {state?.adminKeys.map((key) => (
          <KeyRow key={key.id} {...key} counts={[key.authenticators, key.recoveryCodes]} />
        ))}
      </Table>
    </>
  )
}

interface KeyRowProps {
  id: string
  isNewest: boolean
  isKnown: boolean
  counts: readonly number[]
}

function KeyRow({ id, isNewest, isKnown, counts }: KeyRowProps) {
  const isNeeded = counts.some((count) => count > 0)
  return (
    <tr>
      <th scope="row">
        <code>{id}</code>
      </th>
      <td>
        {!isKnown && <Badge kind="danger">Missing</Badge>}
        {isKnown && isNewest && <Badge kind="good">Newest</Badge>}
        {isKnown && !isNewest && isNeeded && <Badge kind="warning">Still needed</Badge>}
        {isKnown && !isNewest && !isNeeded && <Badge>Can be removed</Badge>}
      </td>
      {counts.map((count, at) => (
        <td key={at} class={table.number}>
          {count.toLocaleString('en')}
        </td>
      ))}
    </tr>
  )
}

function OutdatedSecrets({ apps }: { apps: KeysState['outdatedSecrets'] }) {
  return (
    <>
      <h3>{OUTDATED_TITLE}</h3>
      <p class={`${base.muted} ${parts.partLead}`}>
        Each secret switches to the newest pepper within a minute of its next use. Rotate or revoke
        secrets that are no longer used.{' '}
        {apps.length === SHOWN_MAX &&
          'Only 100 are shown: those that have not been used for the longest time.'}
      </p>
      <Table
        label={OUTDATED_TITLE}
        columns={[{ name: 'Client app' }, { name: 'Pepper' }, { name: 'Last used' }]}
      >
        {apps.map(({ clientId, name, pepperId, lastUsedAt }, at) => (
          <tr key={at}>
            <th scope="row">
              <AppLink app={{ clientId, name }} tab="secrets" />
              <code class={base.muted}>{clientId}</code>
            </th>
            <td>
              <code>{pepperId}</code>
            </td>
            <td>
              <Time at={lastUsedAt} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  )
}
