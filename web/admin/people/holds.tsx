/** The open holds of client apps on a wallet, which an operator can release. */
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import type { Person } from '../calls.ts'
import { type Column, Empty, Table } from '../kit/list-parts.tsx'
import { Time } from '../kit/time.tsx'
import { words } from '../messages.ts'
import { useMay } from '../operator-context.ts'
import { usePage } from '../page-context.ts'
import { AllowDialog } from './allow-hold.tsx'
import { ReleaseDialog } from './release-hold.tsx'
import * as base from '../../ui/base.module.css'
import * as table from '../kit/table.module.css'

const texts = words.holds
const { columns } = texts
const COLUMNS: readonly Column[] = [
  { name: columns.app },
  { name: columns.reference, isMinor: true },
  { name: columns.since, isMinor: true },
  { name: columns.until, isMinor: true },
  { name: columns.held, isNumber: true },
]
const WITH_ACTION: readonly Column[] = [...COLUMNS, { name: texts.action, isNumber: true }]

interface PersonHoldsProps {
  person: Person
  reload: () => Promise<void>
}

export function PersonHolds({ person, reload }: PersonHoldsProps) {
  const { money } = usePage()
  const mayRelease = useMay('operator')
  const [chosen, setChosen] = useState<Person['holds'][number] | null>(null)
  const [allowed, setAllowed] = useState<Person['holds'][number] | null>(null)
  const { holds, currency } = person
  const nameOf = ({ held, appName }: Person['holds'][number]) => (
    <span class={base.visuallyHidden}>{texts.named(money.plain(held, currency), appName)}</span>
  )
  if (holds.length === 0 && !chosen) {
    return <Empty title={texts.emptyTitle} text={texts.empty} />
  }
  return (
    <>
      <Table label={words.person.tabs.holds} columns={mayRelease ? WITH_ACTION : COLUMNS}>
        {holds.map((hold) => (
          <tr key={hold.id}>
            <th scope="row" dir="auto">
              {hold.appName}
              {hold.isSuspended && (
                <span class={`${table.rowSecond} ${base.muted}`}>{texts.suspended}</span>
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
            <td class={table.number}>{money.plain(hold.held, currency)}</td>
            {mayRelease && (
              <td class={table.number}>
                {hold.isSuspended && (
                  <Button kind="secondary" onClick={() => setAllowed(hold)}>
                    {texts.allow}
                    {nameOf(hold)}
                  </Button>
                )}
                <Button kind="secondary" onClick={() => setChosen(hold)}>
                  {texts.release}
                  {nameOf(hold)}
                </Button>
              </td>
            )}
          </tr>
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
