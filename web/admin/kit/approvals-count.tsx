/** The number of open requests, next to the name of the section. */
import { useEffect } from 'preact/hooks'
import { words } from '../messages.ts'
import { usePage } from '../page-context.ts'
import { useRead } from './use-read.ts'

const CHANGED = 'coffer-grants-changed'

export function notifyGrantsChanged() {
  dispatchEvent(new Event(CHANGED))
}

/** Read again whenever `path` changes. */
export function ApprovalsCount({ path }: { path: string }) {
  const { calls } = usePage()
  const { answer, reload } = useRead(path, () => calls.listGrants({ state: 'waiting' }))
  useEffect(() => {
    const listen = () => void reload()
    addEventListener(CHANGED, listen)
    return () => removeEventListener(CHANGED, listen)
  }, [])
  const open = answer?.grants.filter(({ status }) => status === 'open').length ?? 0
  if (open === 0) return null
  const count = answer?.nextCursor ? `${open}+` : String(open)
  return (
    <span class="nav-count">
      <span aria-hidden="true">{count}</span>
      <span class="visually-hidden">{words.approvals.waitingCount(count)}</span>
    </span>
  )
}
