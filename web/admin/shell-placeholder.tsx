import { TextPlaceholder } from '../ui/placeholder.tsx'
import { ShellFrame } from '../ui/shell.tsx'
import { Brand } from './brand.tsx'
import * as base from '../ui/base.module.css'
import * as parts from './kit/parts.module.css'
import * as styles from './shell.module.css'

/** Has the same boxes as a section, so that nothing moves when the section appears. */
export function ShellPlaceholder() {
  return (
    <ShellFrame class={styles.shell} side={<Brand />}>
      <h1 class={base.visuallyHidden}>Loading …</h1>
      <div class={parts.section} aria-hidden="true">
        <p class={parts.sectionTitle}>
          <TextPlaceholder length={12} />
        </p>
        {[34, 28, 31].map((length) => (
          <p key={length}>
            <TextPlaceholder length={length} />
          </p>
        ))}
      </div>
    </ShellFrame>
  )
}
