/** Has the same boxes as the wallet, so that nothing moves when it appears. */
import { TextPlaceholder } from '../../ui/placeholder.tsx'
import { usePage } from '../page-context.ts'

const ROWS = [14, 10, 17, 12]

export function WalletPlaceholder() {
  const { words } = usePage()
  return (
    <>
      <h1 class="visually-hidden">{words.loading}</h1>
      <div class="wallet-placeholder" aria-hidden="true">
        <p class="greeting">
          <TextPlaceholder length={11} />
        </p>
        <div class="balance">
          <p class="balance-label">
            <TextPlaceholder length={7} />
          </p>
          <p class="balance-amount" style={{ '--length': 8 }}>
            <TextPlaceholder length={7} />
          </p>
          <span class="placeholder placeholder-button" />
        </div>
        <div class="activity">
          <p class="activity-title">
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
    <div class="entry">
      <span class="entry-icon placeholder" />
      <div class="entry-body">
        <div class="entry-text">
          <p class="entry-name">
            <TextPlaceholder length={length} />
          </p>
          <p class="entry-time">
            <TextPlaceholder length={9} />
          </p>
        </div>
        <p class="entry-amount">
          <TextPlaceholder length={6} />
        </p>
      </div>
    </div>
  )
}
