import { useState } from 'preact/hooks'
import { Button, TextButton } from '../../ui/button.tsx'
import type { Refusal, NoResponse } from '../../ui/request.ts'
import { useBusy } from '../../ui/use-busy.ts'
import { Done, FormError } from '../../ui/notice.tsx'
import { Badge } from '../kit/badge.tsx'
import { explainAsText } from '../explain-refusal.ts'
import { Table } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import type { OwnLogIn } from '../calls.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as badge from '../kit/badge.module.css'
import * as parts from '../kit/parts.module.css'
import * as table from '../kit/table.module.css'
import * as styles from './own-sign-in.module.css'

const COLUMNS = [
  { name: 'Device' },
  { name: 'Address', isMinor: true },
  { name: 'Since', isMinor: true },
  { name: 'Last used' },
  { name: 'Actions', isVisuallyHidden: true },
]

interface OwnLogInsProps {
  logIns: OwnLogIn[]
  reload: () => Promise<void>
}

type Outcome = { done: string } | { error: string }

export function OwnLogIns({ logIns, reload }: OwnLogInsProps) {
  const { call } = usePage()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  async function showResult(result: { ok: true } | Refusal | NoResponse, done: string) {
    if (result.ok) await reload()
    setOutcome(result.ok ? { done } : { error: explainAsText(result) })
  }
  const [isBusy, endOthers] = useBusy(async () =>
    showResult(
      await call('POST /api/admin/sign-in/log-ins/end-others'),
      'You are logged out on all other devices.',
    ),
  )
  return (
    <section class={parts.part}>
      <div class={`${parts.partHead} ${styles.head}`}>
        <div>
          <h2>Active logins</h2>
          <p class={`${base.muted} ${parts.partLead}`}>
            A login expires after 15 minutes without activity, and after 8 hours in any case.
          </p>
        </div>
        {logIns.length > 1 && (
          <Button kind="secondary" isBusy={isBusy} onClick={endOthers}>
            Log out all other devices
          </Button>
        )}
      </div>
      {outcome && 'done' in outcome && <Done key={outcome.done} text={outcome.done} takesFocus />}
      {outcome && 'error' in outcome && <FormError text={outcome.error} />}
      <Table label="Active logins" columns={COLUMNS}>
        {logIns.map((logIn) => (
          <LogInRow
            key={logIn.id}
            logIn={logIn}
            end={async () =>
              showResult(
                await call('POST /api/admin/sign-in/log-ins/end', { id: logIn.id }),
                `${logIn.device} is logged out.`,
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
          {isThis && <Badge kind="good">This device</Badge>}
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
            <span aria-hidden="true">Log out</span>
            <span class={base.visuallyHidden}>
              Log out {device}, {address}
            </span>
          </TextButton>
        )}
      </td>
    </tr>
  )
}
