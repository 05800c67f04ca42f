import type { Pause } from '../calls.ts'
import { words } from '../messages.ts'
import { Time } from './time.tsx'
import * as styles from './pause.module.css'

/** When, by whom and why writes were paused. */
export function PauseFacts({ pause }: { pause: Pause }) {
  const texts = words.pause
  return (
    <dl class={styles.facts}>
      <div>
        <dt>{texts.since}</dt>
        <dd>
          <Time at={pause.at} />
        </dd>
      </div>
      <div>
        <dt>{texts.by}</dt>
        <dd>{pause.by}</dd>
      </div>
      <div>
        <dt>{texts.reason}</dt>
        <dd dir="auto">{pause.reason}</dd>
      </div>
    </dl>
  )
}
