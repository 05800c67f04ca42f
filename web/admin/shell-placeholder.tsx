/** Built of the same boxes as the page, so that nothing moves when it comes. */
import { TextPlaceholder } from '../ui/placeholder.tsx'
import { Brand } from './brand.tsx'
import { words } from './messages.ts'

export function ShellPlaceholder() {
  return (
    <div class="shell">
      <header class="side">
        <Brand />
      </header>
      <main class="content">
        <h1 class="visually-hidden">{words.loading}</h1>
        <div class="section" aria-hidden="true">
          <p class="section-title">
            <TextPlaceholder length={12} />
          </p>
          {[34, 28, 31].map((length) => (
            <p key={length}>
              <TextPlaceholder length={length} />
            </p>
          ))}
        </div>
      </main>
    </div>
  )
}
