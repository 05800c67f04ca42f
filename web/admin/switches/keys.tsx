/** Shows what each key still protects, so that no key in use is removed from the configuration. */
import { AppLink } from '../kit/app-link.tsx'
import { Badge } from '../kit/badge.tsx'
import type { KeysState } from '../calls.ts'
import { type Column, ReadFailed, RowPlaceholders, Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import { useRead } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './switches.module.css'

const texts = words.keys
const { columns, behindColumns } = texts
const SHOWN_MAX = 100

export function Keys() {
  const { call } = usePage()
  const { response, refusal, reload } = useRead('keys', () => call('GET /api/admin/switches/keys'))
  const behind = response?.behind ?? []
  return (
    <section class={`${parts.part} ${styles.keys}`}>
      <h2>{texts.title}</h2>
      <p class={`${base.muted} ${parts.partLead}`}>{texts.lead}</p>
      {refusal && <ReadFailed retry={reload} />}
      {(response || !refusal) && <KeyTables state={response} />}
      {behind.length > 0 && <Behind apps={behind} />}
    </section>
  )
}

const PEPPER_COLUMNS: readonly Column[] = [
  { name: columns.key },
  { name: columns.state },
  { name: columns.secrets, isNumber: true },
  { name: columns.apps, isNumber: true },
]
const ADMIN_KEY_COLUMNS: readonly Column[] = [
  { name: columns.key },
  { name: columns.state },
  { name: columns.authenticators, isNumber: true },
  { name: columns.recoveryCodes, isNumber: true },
]

function KeyTables({ state }: { state: KeysState | null }) {
  return (
    <>
      <h3>{texts.peppers}</h3>
      <Table label={texts.peppers} columns={PEPPER_COLUMNS}>
        {!state && <RowPlaceholders columns={PEPPER_COLUMNS} />}
        {state?.peppers.map((key) => (
          <KeyRow key={key.id} {...key} counts={[key.liveSecrets, key.clientApps]} />
        ))}
      </Table>
      <h3>{texts.adminKeys}</h3>
      <Table label={texts.adminKeys} columns={ADMIN_KEY_COLUMNS}>
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
        {!isKnown && <Badge kind="danger">{texts.missing}</Badge>}
        {isKnown && isNewest && <Badge kind="good">{texts.newest}</Badge>}
        {isKnown && !isNewest && isNeeded && <Badge kind="warning">{texts.needed}</Badge>}
        {isKnown && !isNewest && !isNeeded && <Badge>{texts.unneeded}</Badge>}
      </td>
      {counts.map((count, at) => (
        <td key={at} class={table.number}>
          {count.toLocaleString('en')}
        </td>
      ))}
    </tr>
  )
}

function Behind({ apps }: { apps: KeysState['behind'] }) {
  const { app, pepper, lastUsed } = behindColumns
  return (
    <>
      <h3>{texts.behind}</h3>
      <p class={`${base.muted} ${parts.partLead}`}>
        {texts.behindLead} {apps.length === SHOWN_MAX && texts.behindMost}
      </p>
      <Table label={texts.behind} columns={[{ name: app }, { name: pepper }, { name: lastUsed }]}>
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
