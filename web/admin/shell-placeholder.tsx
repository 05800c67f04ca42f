import { TextPlaceholder } from '../ui/placeholder.tsx'
import { SectionPlaceholder, ShellFrame } from '../ui/shell.tsx'
import { Brand } from './brand.tsx'
import { words } from './messages.ts'

export function ShellPlaceholder() {
  return (
    <ShellFrame side={<Brand />}>
      <SectionPlaceholder loading={words.loading} title={<TextPlaceholder length={12} />}>
        {[34, 28, 31].map((length) => (
          <p key={length}>
            <TextPlaceholder length={length} />
          </p>
        ))}
      </SectionPlaceholder>
    </ShellFrame>
  )
}
