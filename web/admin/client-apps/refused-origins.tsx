import { useState } from 'preact/hooks'
import { TextButton } from '../../ui/button.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { Done } from '../../ui/done.tsx'
import { FormFault } from '../../ui/notice.tsx'
import { toDraft, toSettings } from './draft.ts'
import type { TabProps } from './tab.ts'
import { explainInOne } from '../explain-refusal.ts'
import { checkTypedOrigin } from './check-typed-origin.ts'
import { type Column, Table } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { useMay } from '../operator-context.ts'
import { OriginTaken } from './origin-taken.tsx'
import { usePage } from '../page-context.ts'
import { Time } from '../kit/time.tsx'
import * as base from '../../ui/base.module.css'
import * as table from '../kit/table.module.css'

const texts = words.check

/** Pages that tried to embed the widget but are not listed; often one was forgotten. */
export function RefusedOrigins({ app, reload }: TabProps) {
  const { calls } = usePage()
  const mayChange = useMay('operator')
  const [asked, setAsked] = useState('')
  const [isTaken, setIsTaken] = useState(false)
  const [fault, setFault] = useState('')
  const [done, setDone] = useState('')

  async function add(origin: string, sharesParents: boolean) {
    setAsked(origin)
    setFault('')
    setIsTaken(false)
    const settings = toSettings(toDraft(app))
    const result = await calls.changeApp({
      clientId: app.clientId,
      ...settings,
      allowedIframeParents: [...settings.allowedIframeParents, origin],
      ...(sharesParents && { sharesParents }),
    })
    if (result.ok) {
      await reload()
      setDone(texts.added(origin))
    } else if (!result.offline && result.code === 'ORIGIN_TAKEN') setIsTaken(true)
    else setFault(explainInOne(result))
  }
  const [isBusy, insist] = useBusy(() => add(asked, true))

  const columns: Column[] = [
    { name: texts.columns.origin },
    { name: texts.columns.count, isNumber: true },
    { name: texts.columns.last },
    ...(mayChange ? [{ name: words.secrets.columns.actions, isSilent: true }] : []),
  ]
  return (
    <>
      {done && <Done text={done} takesFocus />}
      <FormFault text={fault} />
      {isTaken && <OriginTaken isBusy={isBusy} onInsist={insist} />}
      <Table label={texts.refusedTitle} columns={columns}>
        {app.seen.refusedOrigins.map(({ origin, count, at }) => (
          <tr key={origin}>
            <th scope="row">
              <code>{origin}</code>
            </th>
            <td class={table.number}>{count.toLocaleString('en')}</td>
            <td>
              <Time at={at} />
            </td>
            {mayChange && (
              <td class={table.actions}>
                <AddParent app={app} origin={origin} add={() => add(origin, false)} />
              </td>
            )}
          </tr>
        ))}
      </Table>
    </>
  )
}

interface AddParentProps {
  app: TabProps['app']
  origin: string
  add: () => Promise<void>
}

function AddParent({ app, origin, add }: AddParentProps) {
  const [isBusy, run] = useBusy(add)
  if (app.allowedIframeParents.includes(origin)) {
    return <span class={base.muted}>{texts.isParent}</span>
  }
  // An invalid origin, such as http in production, cannot be added.
  const fault = checkTypedOrigin(origin, app.allowedIframeParents)
  if (fault) return <span class={base.muted}>{texts.cannot}</span>
  return (
    <TextButton isBusy={isBusy} onClick={run}>
      {texts.addParent}
      <span class={base.visuallyHidden}> {origin}</span>
    </TextButton>
  )
}
