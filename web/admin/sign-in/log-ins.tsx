import { useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import type { Refusal, NoResponse } from '../../ui/request.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { Done } from '../../ui/done.tsx'
import { FormFault } from '../../ui/notice.tsx'
import { Badge } from '../kit/badge.tsx'
import { explainInOne } from '../explain-refusal.ts'
import { Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import type { OwnLogIn } from '../calls.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as badge from '../kit/badge.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './own-sign-in.module.css'

const texts = words.logIns
const COLUMNS = [
  { name: texts.columns.device },
  { name: texts.columns.address, isMinor: true },
  { name: texts.columns.since, isMinor: true },
  { name: texts.columns.lastSeen },
  { name: texts.columns.actions, isSilent: true },
]

interface OwnLogInsProps {
  logIns: OwnLogIn[]
  reload: () => Promise<void>
}

type Outcome = { done: string } | { fault: string }

export function OwnLogIns({ logIns, reload }: OwnLogInsProps) {
  const { call } = usePage()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  async function settle(result: { ok: true } | Refusal | NoResponse, done: string) {
    if (result.ok) await reload()
    setOutcome(result.ok ? { done } : { fault: explainInOne(result) })
  }
  const [isBusy, endOthers] = useBusy(async () =>
    settle(await call('POST /api/admin/sign-in/log-ins/end-others'), texts.endedOthers),
  )
  return (
    <section class={parts.part}>
      <div class={`${parts.partHead} ${styles.head}`}>
        <div>
          <h2>{texts.title}</h2>
          <p class={`${base.muted} ${parts.partLead}`}>{texts.lead}</p>
        </div>
        {logIns.length > 1 && (
          <Button kind="secondary" isBusy={isBusy} onClick={endOthers}>
            {texts.endOthers}
          </Button>
        )}
      </div>
      {outcome && 'done' in outcome && <Done key={outcome.done} text={outcome.done} takesFocus />}
      {outcome && 'fault' in outcome && <FormFault text={outcome.fault} />}
      <Table label={texts.title} columns={COLUMNS}>
        {logIns.map((logIn) => (
          <LogInRow
            key={logIn.id}
            logIn={logIn}
            end={async () =>
              settle(
                await call('POST /api/admin/sign-in/log-ins/end', { id: logIn.id }),
                texts.ended(logIn.device),
              )
            }
          />
        ))}
      </Table>
    </section>
  )
}

function LogInRow({ logIn, end }: { logIn: OwnLogIn; end: () => Promise<void> }) {
  const { isThis, device, address, createdAt, lastSeenAt } = logIn
  const [isBusy, run] = useBusy(end)
  return (
    <tr>
      <th scope="row">
        <span class={badge.badges}>
          <span class={table.rowName}>{device}</span>
          {isThis && <Badge kind="good">{texts.this}</Badge>}
        </span>
      </th>
      <td class={table.minor}>
        <code>{address}</code>
      </td>
      <td class={table.minor}>
        <Time at={createdAt} />
      </td>
      <td>
        <Time at={lastSeenAt} />
      </td>
      <td class={table.actions}>
        {!isThis && (
          <TextButton isBusy={isBusy} onClick={run}>
            <span aria-hidden="true">{texts.end}</span>
            <span class={base.visuallyHidden}>{texts.endNamed(device, address)}</span>
          </TextButton>
        )}
      </td>
    </tr>
  )
}
