/** An entry of a history, with its particulars behind it. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { PersonEntry as Entry } from '../calls.ts'
import { CopyButton } from '../kit/copy.tsx'
import { ChevronIcon } from '../kit/icons.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { toUtc } from '../kit/time.tsx'

export function PersonEntry({ entry, columnCount }: { entry: Entry; columnCount: number }) {
  const { money } = usePage()
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const isCredit = entry.type === 'credit'
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
            <time dateTime={entry.createdAt}>{toUtc(entry.createdAt)}</time>
          </button>
        </th>
        <td>
          {words.history.kinds[entry.kind]}
          {entry.app !== null && (
            <span class="row-second muted" dir="auto">
              {entry.app}
            </span>
          )}
        </td>
        <td class="minor">
          <code class="cut" title={entry.referenceId ?? undefined}>
            {entry.referenceId}
          </code>
        </td>
        <td class={isCredit ? 'number amount-in' : 'number'}>
          {money.signed(isCredit ? entry.amount : -entry.amount, entry.currency)}
        </td>
        <td class="number least">{money.plain(entry.balanceAfter, entry.currency)}</td>
      </tr>
      <tr class="row-details" id={id} hidden={!isOpen}>
        <td colSpan={columnCount}>{isOpen && <Particulars entry={entry} />}</td>
      </tr>
    </>
  )
}

function Particulars({ entry }: { entry: Entry }) {
  const { money } = usePage()
  const names = words.history.details
  const { debtChange, currency } = entry
  const debt = debtChange !== 0 && money.plain(Math.abs(debtChange), currency)
  const rows: [string, ComponentChildren][] = [
    [names.app, entry.app],
    [names.description, entry.description],
    [names.referenceType, entry.referenceType && <code>{entry.referenceType}</code>],
    [names.referenceId, entry.referenceId && <code>{entry.referenceId}</code>],
    [debtChange > 0 ? names.debtUp : names.debtDown, debt],
    [words.history.columns.balanceAfter, money.plain(entry.balanceAfter, currency)],
    [
      names.id,
      <span class="copy-cell" key="id">
        <code>{entry.id}</code>
        <CopyButton text={entry.id} what={words.history.idName} />
      </span>,
    ],
  ]
  return (
    <dl class="particulars">
      {rows.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
