/** The number of open requests, next to the name of the section. */
import { useEffect } from 'preact/hooks'
import { usePage } from '../page-context.ts'
import { useRead } from './use-read.ts'
import * as base from '../../ui/base.module.css'
import * as styles from './approvals-count.module.css'

const CHANGED = 'coffer-grants-changed'

export function notifyGrantsChanged() {
  dispatchEvent(new Event(CHANGED))
}

/** Reads the number again whenever `path` changes. */
export function ApprovalsCount({ path }: { path: string }) {
  const { call } = usePage()
  const { response, reload } = useRead(path, () =>
    call('GET /api/admin/grants', { state: 'waiting' }),
  )
  useEffect(() => {
    const listen = () => void reload()
    addEventListener(CHANGED, listen)
    return () => removeEventListener(CHANGED, listen)
  }, [])
  const open = response?.grants.filter(({ status }) => status === 'open').length ?? 0
  if (open === 0) return null
  const count = response?.nextCursor ? `${open}+` : String(open)
  return (
    <span class={styles.navCount}>
      <span aria-hidden="true">{count}</span>
      <span class={base.visuallyHidden}>{count} waiting</span>
    </span>
  )
}
