/** An entry of the audit log, with what it changed behind it. */
import { useId, useState } from 'preact/hooks'
import type { AuditEntry } from '../calls.ts'
import { type Change, diffJson } from './diff-json.ts'
import { ChevronIcon } from '../kit/icons.tsx'
import { words } from '../messages.ts'
import { toUtc } from '../kit/time.tsx'

export function AuditRow({ entry, columnCount }: { entry: AuditEntry; columnCount: number }) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  return (
    <>
      <tr data-row={entry.id} class={isOpen ? 'row-open' : undefined}>
        <th scope="row">
          <button
            class="disclosure"
            type="button"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            <ChevronIcon />
            <time dateTime={entry.at}>{toUtc(entry.at)}</time>
          </button>
        </th>
        <td>
          <code>{entry.action}</code>
        </td>
        <td>
          <code class="cut" title={entry.subject ?? undefined}>
            {entry.subject ?? words.none}
          </code>
        </td>
        <td>
          <span class="cut" title={entry.actor}>
            {entry.actor}
          </span>
        </td>
        <td class="least">
          <code class="muted">{entry.address ?? ''}</code>
        </td>
      </tr>
      <tr class="row-details" id={id} hidden={!isOpen}>
        <td colSpan={columnCount}>{isOpen && <Changes entry={entry} />}</td>
      </tr>
    </>
  )
}

function Changes({ entry }: { entry: AuditEntry }) {
  const { changes, same } = diffJson(entry.before, entry.after)
  const texts = words.audit
  return (
    <div class="changes">
      <p class="muted">{texts.from(entry.actor, entry.address)}</p>
      {changes.length === 0 && <p>{texts.noChange}</p>}
      {changes.length > 0 && (
        <dl>
          {changes.map((change) => (
            <ChangeLine key={change.path} {...change} />
          ))}
        </dl>
      )}
      {same > 0 && <p class="muted">{texts.same(same)}</p>}
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
            <span class="visually-hidden">{words.audit.before} </span>
            {text}
          </del>
        ))}
        {added.map((text) => (
          <ins key={text}>
            <span class="visually-hidden">{words.audit.after} </span>
            {text}
          </ins>
        ))}
      </dd>
    </div>
  )
}
