/** Built of the same boxes as the page, so that nothing moves when it comes. */
import { WalletIcon } from '../ui/icons.tsx'
import { TextPlaceholder } from '../ui/placeholder.tsx'
import { EntryPlaceholders } from './history/entry-list.tsx'
import { usePage } from './page-context.ts'

export function ShellPlaceholder() {
  const { words } = usePage()
  return (
    <div class="shell">
      <header class="side">
        <p class="brand">
          <span class="mark">
            <WalletIcon />
          </span>
          {words.brand}
        </p>
      </header>
      <main class="content">
        <h1 class="visually-hidden">{words.loading}</h1>
        <div class="section" aria-hidden="true">
          <p class="section-title">
            <TextPlaceholder length={12} />
          </p>
          <div class="balance">
            <p class="balance-label">
              <TextPlaceholder length={7} />
            </p>
            <p class="balance-amount">
              <TextPlaceholder length={7} />
            </p>
          </div>
          <EntryPlaceholders count={4} />
        </div>
      </main>
    </div>
  )
}
