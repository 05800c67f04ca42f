/** An entry of the audit log; its changes can be opened. */
import type { AuditEntry } from '../calls.ts'
import { type Change, diffJson } from './diff-json.ts'
import { DisclosureRow } from '../kit/disclosure-row.tsx'
import { words } from '../messages.ts'
import * as base from '../../ui/base.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './audit.module.css'

const { columns } = words.audit

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
      <td data-column={columns.subject}>
        <code class={table.cut} title={entry.subject ?? undefined}>
          {entry.subject ?? words.none}
        </code>
      </td>
      <td data-column={columns.actor}>
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
  const texts = words.audit
  return (
    <div class={styles.changes}>
      <p class={base.muted}>{texts.from(entry.actor, entry.address)}</p>
      {changes.length === 0 && <p>{texts.noChange}</p>}
      {changes.length > 0 && (
        <dl>
          {changes.map((change) => (
            <ChangeLine key={change.path} {...change} />
          ))}
        </dl>
      )}
      {same > 0 && <p class={base.muted}>{texts.same(same)}</p>}
    </div>
  )
}

function ChangeLine({ path, removed, added }: Change) {
  return (
    <div>
      <dt>{path || words.audit.value}</dt>
      <dd>
        {removed.map((text) => (
          <del key={text}>
            <span class={base.visuallyHidden}>{words.audit.before} </span>
            {text}
          </del>
        ))}
        {added.map((text) => (
          <ins key={text}>
            <span class={base.visuallyHidden}>{words.audit.after} </span>
            {text}
          </ins>
        ))}
      </dd>
    </div>
  )
}
