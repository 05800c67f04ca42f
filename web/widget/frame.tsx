/** The frame around every screen. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { TestMode } from '../ui/test-mode.tsx'
import { isFramed } from './host.ts'
import { usePage } from './page-context.ts'
import * as base from '../ui/base.module.css'
import * as styles from './frame.module.css'

export function Frame({ children }: { children: ComponentChildren }) {
  const { data, words, post } = usePage()
  const { serviceName, supportUrl } = data
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!page.current || !isFramed()) return
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize
      if (height) post({ type: 'SERVICE_RESIZED', height: Math.ceil(height) })
    })
    observer.observe(page.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div class={isFramed() ? styles.page : `${styles.page} ${styles.window}`} ref={page}>
      {data.isSandbox && <TestMode text={words.testMode} />}
      <main class={styles.frame}>{children}</main>
      <footer class={`${styles.provider} ${base.muted}`}>
        {words.provider(serviceName)}
        {supportUrl !== null && (
          <>
            {' · '}
            <a href={supportUrl} target="_blank" rel="noopener">
              {words.help}
            </a>
          </>
        )}
      </footer>
    </div>
  )
}
