/** An entry of the audit log; its changes can be opened. */
import type { AuditEntry } from '../calls.ts'
import { type Change, diffJson } from './diff-json.ts'
import { DisclosureRow } from '../kit/disclosure-row.tsx'
import * as base from '../../ui/base.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './audit.module.css'

export function AuditRow({ entry, columnCount }: { entry: AuditEntry; columnCount: number }) {
  return (
    <DisclosureRow
      id={entry.id}
      at={entry.at}
      columnCount={columnCount}
      renderDetails={() => <Changes entry={entry} />}
    >
      <td>
        <code>{entry.action}</code>
      </td>
      <td data-column="Subject">
        <code class={table.cut} title={entry.subject ?? undefined}>
          {entry.subject ?? '–'}
        </code>
      </td>
      <td data-column="Actor">
        <span class={table.cut} title={entry.actor}>
          {entry.actor}
        </span>
      </td>
      <td class={table.least}>
        <code class={base.muted}>{entry.address ?? ''}</code>
      </td>
    </DisclosureRow>
  )
}

function Changes({ entry }: { entry: AuditEntry }) {
  const { changes, same } = diffJson(entry.before, entry.after)
  return (
    <div class={styles.changes}>
      <p class={base.muted}>{describeActor(entry.actor, entry.address)}</p>
      {changes.length === 0 && <p>This action changed no recorded fields.</p>}
      {changes.length > 0 && (
        <dl>
          {changes.map((change) => (
            <ChangeLine key={change.path} {...change} />
          ))}
        </dl>
      )}
      {same > 0 && <p class={base.muted}>{countUnchanged(same)}</p>}
    </div>
  )
}

function ChangeLine({ path, removed, added }: Change) {
  return (
    <div>
      <dt>{path || 'Value'}</dt>
      <dd>
        {removed.map((text) => (
          <del key={text}>
            <span class={base.visuallyHidden}>Before: </span>
            {text}
          </del>
        ))}
        {added.map((text) => (
          <ins key={text}>
            <span class={base.visuallyHidden}>After: </span>
            {text}
          </ins>
        ))}
      </dd>
    </div>
  )
}

function describeActor(actor: string, address: string | null): string {
  return address === null ? `By ${actor}.` : `By ${actor}, from ${address}.`
}

function countUnchanged(count: number): string {
  return count === 1 ? '1 field unchanged.' : `${count} fields unchanged.`
}
