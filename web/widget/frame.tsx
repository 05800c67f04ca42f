/** The frame around every screen. */
import type { ComponentChildren } from 'preact'
import { TestMode } from '../ui/test-mode.tsx'
import { usePage } from './page-context.ts'

export function Frame({ children }: { children: ComponentChildren }) {
  const { data, words } = usePage()
  return (
    <>
      {data.isSandbox && <TestMode text={words.testMode} />}
      <main class="frame">{children}</main>
    </>
  )
}
