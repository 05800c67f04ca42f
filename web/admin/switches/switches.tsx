/** Switches for the whole service, and the state of its keys. */
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { ReadFailed } from '../kit/list-parts.tsx'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { PausedApps } from './apps.tsx'
import { Keys } from './keys.tsx'
import { Writes } from '../kit/pause-writes.tsx'
import './switches.css'
import { useRead } from '../kit/use-read.ts'

export function Switches() {
  const { calls } = usePage()
  const { answer, refusal, reload } = useRead('switches', calls.readSwitches)
  return (
    <div class="section">
      <h1 class="section-title" tabIndex={-1}>
        {words.nav.switches}
      </h1>
      <div class="part-stack">
        {refusal && <ReadFailed retry={reload} />}
        {!answer && !refusal && <SwitchPlaceholder />}
        {answer && <Writes pause={answer.pause} reload={reload} />}
        <PausedApps />
        <Keys />
      </div>
    </div>
  )
}

function SwitchPlaceholder() {
  return (
    <section class="part" aria-busy="true">
      <h2>{words.writes.title}</h2>
      <p class="muted part-lead">{words.writes.lead}</p>
      <div class="switch" aria-hidden="true">
        <TextPlaceholder length={24} />
      </div>
    </section>
  )
}
