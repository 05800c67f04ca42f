import type { Pause } from '../calls.ts'
import { Time } from './time.tsx'
import * as styles from './pause.module.css'

/** When, by whom and why writes were paused. */
export function PauseFacts({ pause }: { pause: Pause }) {
  return (
    <dl class={styles.facts}>
      <div>
        <dt>Since</dt>
        <dd>
          <Time at={pause.at} />
        </dd>
      </div>
      <div>
        <dt>By</dt>
        <dd>{pause.by}</dd>
      </div>
      <div>
        <dt>Reason</dt>
        <dd dir="auto">{pause.reason}</dd>
      </div>
    </dl>
  )
}
