import { useContext, useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { Done } from '../../ui/done.tsx'
import { Badge, StateBadge } from '../kit/badge.tsx'
import type { Operator } from '../calls.ts'
import { type Column, ReadFailed, RowPlaceholders, Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { OperatorContext, useMay } from '../operator-context.ts'
import { ChangeOperator } from './change.tsx'
import { CreateOperator } from './create.tsx'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import { useRead } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as badge from '../kit/badge.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'

const { columns } = words.operators

export function Operators() {
  const { call } = usePage()
  const mayChange = useMay('owner')
  const { response, refusal, reload } = useRead('operators', () => call('GET /api/admin/operators'))
  const [isCreating, setIsCreating] = useState(false)
  const [changed, setChanged] = useState<Operator | null>(null)
  const [done, setDone] = useState('')
  const shown: Column[] = [
    { name: columns.name },
    { name: columns.role },
    { name: columns.state },
    { name: columns.authenticator, isMinor: true },
    { name: columns.lastSeen },
    { name: columns.created, isLeast: true },
    ...(mayChange ? [{ name: words.secrets.columns.actions, isSilent: true }] : []),
  ]
  return (
    <div class={parts.section}>
      <div class={parts.sectionHead}>
        <h1 class={parts.sectionTitle} tabIndex={-1}>
          {words.nav.operators}
        </h1>
        {mayChange && (
          <Button onClick={() => setIsCreating(true)}>
            <PlusIcon />
            {words.operators.create}
          </Button>
        )}
      </div>
      {done && <Done key={done} text={done} takesFocus />}
      {refusal && <ReadFailed retry={reload} />}
      {(response || !refusal) && (
        <Table label={words.nav.operators} columns={shown}>
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
          {email === me.email && <Badge>{words.operators.you}</Badge>}
        </span>
        <span class={`${table.rowSecond} ${base.muted}`}>{email}</span>
      </th>
      <td>{words.roles[role]}</td>
      <td>
        <StateBadge isActive={isActive} />
      </td>
      <td class={table.minor}>
        {hasAuthenticator ? (
          words.operators.hasOne
        ) : (
          <span class={base.muted}>{words.operators.hasNone}</span>
        )}
      </td>
      <td>
        <Time at={operator.lastSeenAt} />
      </td>
      <td class={table.least}>
        <Time at={operator.createdAt} isDay />
        {operator.createdBy && (
          <span class={`${table.rowSecond} ${base.muted}`}>
            {words.operators.by(operator.createdBy)}
          </span>
        )}
      </td>
      {onChange && (
        <td class={table.actions}>
          <TextButton onClick={onChange}>
            {words.operators.change}
            <span class={base.visuallyHidden}> {name}</span>
          </TextButton>
        </td>
      )}
    </tr>
  )
}
