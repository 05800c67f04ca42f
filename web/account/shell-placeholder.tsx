import { TextPlaceholder } from '../ui/placeholder.tsx'
import { SectionPlaceholder, ShellFrame } from '../ui/shell.tsx'
import { Brand } from './brand.tsx'
import { EntryPlaceholders } from './history/entry-list.tsx'
import { usePage } from './page-context.ts'

export function ShellPlaceholder() {
  const { words } = usePage()
  return (
    <ShellFrame side={<Brand />}>
      <SectionPlaceholder loading={words.loading} title={<TextPlaceholder length={12} />}>
        <div class="balance">
          <p class="balance-label">
            <TextPlaceholder length={7} />
          </p>
          <p class="balance-amount">
            <TextPlaceholder length={7} />
          </p>
        </div>
        <EntryPlaceholders count={4} />
      </SectionPlaceholder>
    </ShellFrame>
  )
}
