/** Switches for the whole service, and the state of its keys. */
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { ReadFailed } from '../kit/list-parts.tsx'
import { usePage } from '../page-context.ts'
import { PausedApps } from './apps.tsx'
import { Keys } from './keys.tsx'
import { Writes, WRITES_LEAD } from '../kit/pause-writes.tsx'
import { useRead } from '../kit/use-read.ts'
import * as base from '../../ui/base.module.css'
import * as parts from '../kit/parts.module.css'
import * as styles from '../kit/pause.module.css'

export function Switches() {
  const { call } = usePage()
  const { response, refusal, reload } = useRead('switches', () => call('GET /api/admin/switches'))
  return (
    <div class={parts.section}>
      <h1 class={parts.sectionTitle} tabIndex={-1}>
        Switches
      </h1>
      <div class={parts.partStack}>
        {refusal && <ReadFailed retry={reload} />}
        {!response && !refusal && <SwitchPlaceholder />}
        {response && <Writes pause={response.pause} reload={reload} />}
        <PausedApps />
        <Keys />
      </div>
    </div>
  )
}

function SwitchPlaceholder() {
  return (
    <section class={parts.part} aria-busy="true">
      <h2>All writes</h2>
      <p class={`${base.muted} ${parts.partLead}`}>{WRITES_LEAD}</p>
      <div class={styles.panel} aria-hidden="true">
        <TextPlaceholder length={24} />
      </div>
    </section>
  )
}
