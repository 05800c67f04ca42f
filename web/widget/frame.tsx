/** What stands around every screen. */
import type { ComponentChildren } from 'preact'
import { usePage } from './page-context.ts'

export function Frame({ children }: { children: ComponentChildren }) {
  const { data, words } = usePage()
  return (
    <>
      {data.isSandbox && <aside class="test-mode">{words.testMode}</aside>}
      <main class="frame">{children}</main>
    </>
  )
}
