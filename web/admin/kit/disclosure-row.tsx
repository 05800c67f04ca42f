/** A table row that opens a second row with details. */
import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { ChevronIcon } from './icons.tsx'
import { Time } from './time.tsx'
import * as table from './table.module.css'

interface DisclosureRowProps {
  id: string
  /** ISO timestamp, shown in the first cell. */
  at: string
  columnCount: number
  isNew?: boolean
  renderDetails: () => ComponentChildren
  /** The other cells. */
  children: ComponentChildren
}

export function DisclosureRow(props: DisclosureRowProps) {
  const [isOpen, setIsOpen] = useState(false)
  const detailsId = useId()
  return (
    <>
      <tr data-row={props.id} class={props.isNew ? table.rowNew : isOpen ? '' : undefined}>
        <th scope="row">
          <button
            class={table.disclosure}
            type="button"
            aria-expanded={isOpen}
            aria-controls={detailsId}
            onClick={() => setIsOpen(!isOpen)}
          >
            <ChevronIcon />
            <Time at={props.at} isNamed />
          </button>
        </th>
        {props.children}
      </tr>
      <tr class={table.rowDetails} id={detailsId} hidden={!isOpen}>
        <td colSpan={props.columnCount}>
          {isOpen && <div class={table.detailsBox}>{props.renderDetails()}</div>}
        </td>
      </tr>
    </>
  )
}
