/** Has the same boxes as the wallet, so that nothing moves when it appears. */
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { usePage } from '../page-context.ts'
import * as base from '../../ui/base.module.css'
import * as placeholder from '../../ui/placeholder.module.css'
import * as styles from './wallet.module.css'

const ROWS = [14, 10, 17, 12]

export function WalletPlaceholder() {
  const { messages } = usePage()
  return (
    <>
      <h1 class={base.visuallyHidden}>{messages.loading}</h1>
      <div class={styles.placeholder} aria-hidden="true">
        <p class={styles.greeting}>
          <TextPlaceholder length={11} />
        </p>
        <div class={styles.balance}>
          <p class={styles.balanceLabel}>
            <TextPlaceholder length={7} />
          </p>
          <p class={styles.balanceAmount} style={{ '--length': 8 }}>
            <TextPlaceholder length={7} />
          </p>
          <span class={`${placeholder.placeholder} ${styles.placeholderButton}`} />
        </div>
        <div class={styles.activity}>
          <p class={styles.activityTitle}>
            <TextPlaceholder length={13} />
          </p>
          {ROWS.map((length) => (
            <RowPlaceholder key={length} length={length} />
          ))}
        </div>
      </div>
    </>
  )
}

function RowPlaceholder({ length }: { length: number }) {
  return (
    <div class={styles.entry}>
      <span class={`${styles.entryIcon} ${placeholder.placeholder}`} />
      <div class={styles.entryBody}>
        <div class={styles.entryText}>
          <p class={styles.entryName}>
            <TextPlaceholder length={length} />
          </p>
          <p class={styles.entryTime}>
            <TextPlaceholder length={9} />
          </p>
        </div>
        <p class={styles.entryAmount}>
          <TextPlaceholder length={6} />
        </p>
      </div>
    </div>
  )
}
