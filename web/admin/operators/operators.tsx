import { useContext, useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { Done } from '../../ui/notice.tsx'
import { Badge, StateBadge } from '../kit/badge.tsx'
import type { Operator } from '../calls.ts'
import { type Column, ReadFailed, RowPlaceholders, Table } from '../kit/list-parts.tsx'
import { OperatorContext, useMay, ROLE_NAMES } from '../operator-context.ts'
import { ChangeOperator } from './change.tsx'
import { CreateOperator } from './create.tsx'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import { useRead } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as badge from '../kit/badge.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

export function Operators() {
  const { call } = usePage()
  const mayChange = useMay('owner')
  const { response, refusal, reload } = useRead('operators', () => call('GET /api/admin/operators'))
  const [isCreating, setIsCreating] = useState(false)
  const [changed, setChanged] = useState<Operator | null>(null)
  const [done, setDone] = useState('')
  const shown: Column[] = [
    { name: 'Name' },
    { name: 'Role' },
    { name: 'State' },
    { name: 'Authenticator', isMinor: true },
    { name: 'Last seen' },
    { name: 'Created', isLeast: true },
    ...(mayChange ? [{ name: 'Actions', isVisuallyHidden: true }] : []),
  ]
  return (
    <div class={parts.section}>
      <div class={parts.sectionHead}>
        <h1 class={parts.sectionTitle} tabIndex={-1}>
          Operators
        </h1>
        {mayChange && (
          <Button onClick={() => setIsCreating(true)}>
            <PlusIcon />
            Add an operator
          </Button>
        )}
      </div>
      {done && <Done key={done} text={done} takesFocus />}
      {refusal && <ReadFailed retry={reload} />}
      {(response || !refusal) && (
        <Table label="Operators" columns={shown}>
          {!response && <RowPlaceholders columns={shown} />}
          {response?.operators.map((operator) => (
            <OperatorRow
              key={operator.id}
              operator={operator}
              onChange={mayChange ? () => setChanged(operator) : undefined}
            />
          ))}
        </Table>
      )}
      {isCreating && <CreateOperator reload={reload} onClose={() => setIsCreating(false)} />}
      {changed && (
        <ChangeOperator
          operator={changed}
          onClose={() => setChanged(null)}
          onDone={async (text) => {
            await reload()
            setChanged(null)
            setDone(text)
          }}
        />
      )}
    </div>
  )
}

interface OperatorRowProps {
  operator: Operator
  onChange: (() => void) | undefined
}

function OperatorRow({ operator, onChange }: OperatorRowProps) {
  const me = useContext(OperatorContext)
  const { name, email, role, isActive, hasAuthenticator } = operator
  return (
    <tr>
      <th scope="row">
        <span class={badge.badges}>
          <span class={table.rowName} dir="auto">
            {name}
          </span>
          {email === me.email && <Badge>You</Badge>}
        </span>
        <span class={`${table.rowSecond} ${base.muted}`}>{email}</span>
      </th>
      <td>{ROLE_NAMES[role]}</td>
      <td>
        <StateBadge isActive={isActive} />
      </td>
      <td class={table.minor}>
        {hasAuthenticator ? 'Set up' : <span class={base.muted}>Not set up</span>}
      </td>
      <td>
        <Time at={operator.lastSeenAt} />
      </td>
      <td class={table.least}>
        <Time at={operator.createdAt} isDay />
        {operator.createdBy && (
          <span class={`${table.rowSecond} ${base.muted}`}>by {operator.createdBy}</span>
        )}
      </td>
      {onChange && (
        <td class={table.actions}>
          <TextButton onClick={onChange}>
            Change
            <span class={base.visuallyHidden}> {name}</span>
          </TextButton>
        </td>
      )}
    </tr>
  )
}
