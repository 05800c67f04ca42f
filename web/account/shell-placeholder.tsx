import { TextPlaceholder } from '../ui/placeholder.tsx'
import { ShellFrame } from '../ui/shell.tsx'
import { Brand } from './brand.tsx'
import { EntryPlaceholders } from './history/entry-list.tsx'
import { usePage } from './page-context.ts'
import * as base from '../ui/base.module.css'
import * as parts from './parts.module.css'
import * as shell from './shell.module.css'

/** Has the same boxes as the overview, so that nothing moves when it appears. */
export function ShellPlaceholder() {
  const { messages } = usePage()
  return (
    <ShellFrame class={shell.shell} side={<Brand />}>
      <h1 class={base.visuallyHidden}>{messages.loading}</h1>
      <div class={parts.section} aria-hidden="true">
        <p class={parts.sectionTitle}>
          <TextPlaceholder length={12} />
        </p>
        <div class={parts.balance}>
          <p class={parts.balanceLabel}>
            <TextPlaceholder length={7} />
          </p>
          <p class={parts.balanceAmount}>
            <TextPlaceholder length={7} />
          </p>
        </div>
        <EntryPlaceholders count={4} />
      </div>
    </ShellFrame>
  )
}
