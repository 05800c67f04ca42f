/** The frame around every screen. */
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { TestMode } from '../ui/notice.tsx'
import { isFramed } from './parent.ts'
import { usePage } from './page-context.ts'
import * as base from '../ui/base.module.css'
import * as styles from './frame.module.css'

/** If the embedding page has not resized the frame within this time, it uses a height of its own. */
const RESIZE_TIMEOUT_MS = 500

/** The height that was last reported and the timer of the scrollbar. A document has one frame at a time. */
let reported = 0
let timer = 0

interface FrameProps {
  /** Whether another screen replaces this one automatically. Until then, the frame keeps its height. */
  isTransient?: boolean
  children: ComponentChildren
}

export function Frame({ isTransient, children }: FrameProps) {
  const { data, messages } = usePage()
  const { serviceName, supportUrl } = data
  const page = useRef<HTMLDivElement>(null)
  useHeightReports(page)
  const isFull = isTransient || !isFramed()
  return (
    <div class={isFull ? `${styles.page} ${styles.full}` : styles.page} ref={page}>
      {data.isSandbox && <TestMode text={messages.testMode} />}
      <main class={styles.frame}>{children}</main>
      <footer class={`${styles.provider} ${base.muted}`}>
        {messages.provider(serviceName)}
        {supportUrl !== null && (
          <>
            {' · '}
            <a href={supportUrl} target="_blank" rel="noopener">
              {messages.help}
            </a>
          </>
        )}
      </footer>
    </div>
  )
}

/** While the embedding page follows the height, a scrollbar would appear for a moment and take space. */
function hideScrollbar() {
  const root = document.documentElement
  root.style.overflow ||= 'hidden'
  clearTimeout(timer)
  timer = window.setTimeout(() => {
    root.style.overflow = root.scrollHeight > innerHeight ? 'auto' : 'hidden'
  }, RESIZE_TIMEOUT_MS)
}

/** Reports the height after each rendering and before the event that shows the frame, so that it never jumps. */
function useHeightReports(ref: RefObject<HTMLDivElement | null>) {
  const { post } = usePage()
  useEffect(() => {
    const page = ref.current
    if (!page || !isFramed()) return
    const report = () => {
      const height = Math.ceil(page.getBoundingClientRect().height)
      if (reported !== height) post({ type: 'SERVICE_RESIZED', height })
      reported = height
      hideScrollbar()
    }
    report()
    const observer = new ResizeObserver(report)
    observer.observe(page)
    addEventListener('resize', hideScrollbar)
    return () => observer.disconnect()
  })
}
