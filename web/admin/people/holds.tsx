/** The open holds of client apps on a wallet, which an operator can release. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import type { Person } from '../calls.ts'
import { type Column, Empty, Table } from '../kit/list-parts.tsx'
import { Time } from '../kit/time.tsx'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { AllowDialog } from './allow-hold.tsx'
import { ReleaseDialog } from './release-hold.tsx'
import * as base from '../../ui/base.module.css'
import * as table from '../kit/table.module.css'

const COLUMNS: readonly Column[] = [
  { name: 'App' },
  { name: 'Reference', isMinor: true },
  { name: 'Since', isMinor: true },
  { name: 'Until', isMinor: true },
  { name: 'Held', isNumber: true },
]
const WITH_ACTION: readonly Column[] = [...COLUMNS, { name: 'Action', isNumber: true }]

type Hold = Person['holds'][number]

interface PersonHoldsProps {
  person: Person
  reload: () => Promise<void>
}

export function PersonHolds({ person, reload }: PersonHoldsProps) {
  const mayRelease = useMay('operator')
  const [chosen, setChosen] = useState<Hold | null>(null)
  const [allowed, setAllowed] = useState<Hold | null>(null)
  const { holds, currency } = person
  if (holds.length === 0 && !chosen) {
    return (
      <Empty
        title="No open holds"
        text="Money that client apps reserve in this wallet appears here until they take or release it."
      />
    )
  }
  return (
    <>
      <Table label="Holds" columns={mayRelease ? WITH_ACTION : COLUMNS}>
        {holds.map((hold) => (
          <HoldRow
            key={hold.id}
            hold={hold}
            currency={currency}
            mayRelease={mayRelease}
            onAllow={() => setAllowed(hold)}
            onRelease={() => setChosen(hold)}
          />
        ))}
      </Table>
      {allowed && (
        <AllowDialog
          person={person}
          hold={allowed}
          reload={reload}
          onClose={() => setAllowed(null)}
        />
      )}
      {chosen && (
        <ReleaseDialog
          person={person}
          hold={chosen}
          reload={reload}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  )
}

interface HoldRowProps {
  hold: Hold
  currency: string
  mayRelease: boolean
  onAllow: () => void
  onRelease: () => void
}

function HoldRow({ hold, currency, mayRelease, onAllow, onRelease }: HoldRowProps) {
  const { money } = usePage()
  const amount = money.plain(hold.held, currency)
  const name = (
    <span class={base.visuallyHidden}>
      {' '}
      {amount}, held by {hold.appName}
    </span>
  )
  return (
    <tr>
      <th scope="row" dir="auto">
        {hold.appName}
        {hold.isSuspended && (
          <span class={`${table.rowSecond} ${base.muted}`}>
            Suspended: the person reported that somebody else used the account
          </span>
        )}
      </th>
      <td class={table.minor} dir="auto">
        {hold.referenceId}
        <span class={`${table.rowSecond} ${base.muted}`}>{hold.referenceType}</span>
      </td>
      <td class={table.minor}>
        <Time at={hold.createdAt} />
      </td>
      <td class={table.minor}>
        <Time at={hold.expiresAt} />
      </td>
      <td class={table.number}>{amount}</td>
      {mayRelease && (
        <td class={table.number}>
          {hold.isSuspended && (
            <Button kind="secondary" onClick={onAllow}>
              Allow capture
              {name}
            </Button>
          )}
          <Button kind="secondary" onClick={onRelease}>
            Release
            {name}
          </Button>
        </td>
      )}
    </tr>
  )
}
