/** The frame around every screen. */
import type { ComponentChildren } from 'preact'
import { TestMode } from '../ui/test-mode.tsx'
import { usePage } from './page-context.ts'
import * as styles from './frame.module.css'

export function Frame({ children }: { children: ComponentChildren }) {
  const { data, words } = usePage()
  return (
    <div class={styles.page}>
      {data.isSandbox && <TestMode text={words.testMode} />}
      <main class={styles.frame}>{children}</main>
    </div>
  )
}
