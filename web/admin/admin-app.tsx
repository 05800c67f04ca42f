/** Who is there: nobody yet, somebody at the door, or an operator at work. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { AlertIcon, OfflineIcon } from '../ui/icons.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { useHeadingFocus } from '../ui/use-heading-focus.ts'
import type { Hooks, Me } from './calls.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Door } from './sign-in/sign-in.tsx'
import { words } from './messages.ts'
import { OperatorContext } from './operator-context.ts'
import { usePage } from './page-context.ts'
import { Shell } from './shell.tsx'
import { ShellPlaceholder } from './shell-placeholder.tsx'
import { Statement } from './status-screen.tsx'

type View =
  | { name: 'loading' }
  | { name: 'failed'; isOffline: boolean }
  | { name: 'door'; notice?: string }
  | { name: 'work'; me: Me }

export function AdminApp({ hooks }: { hooks: Hooks }) {
  const { calls } = usePage()
  const [view, setView] = useState<View>({ name: 'loading' })
  const [isConfirming, setIsConfirming] = useState(false)
  const answer = useRef<(isConfirmed: boolean) => void>(() => {})
  const wasIn = useRef(false)
  useHeadingFocus(view.name)

  function settle(isConfirmed: boolean) {
    setIsConfirming(false)
    answer.current(isConfirmed)
  }

  hooks.expired = () => {
    settle(false)
    setView(wasIn.current ? { name: 'door', notice: words.logIn.expired } : { name: 'door' })
    wasIn.current = false
  }
  hooks.confirm = () => {
    answer.current(false)
    setIsConfirming(true)
    return new Promise((resolve) => {
      answer.current = resolve
    })
  }

  const load = useCallback(async () => {
    const result = await calls.readMe()
    if (result.ok) {
      wasIn.current = true
      setView({ name: 'work', me: result.data })
    } else if (result.offline || result.code !== 'LOGIN_REQUIRED') {
      setView({ name: 'failed', isOffline: result.offline })
    }
  }, [])
  useEffect(() => void load(), [])

  function leave() {
    wasIn.current = false
    setView({ name: 'door', notice: words.logIn.loggedOut })
  }

  return (
    <div class="admin">
      {view.name === 'loading' && <ShellPlaceholder />}
      {view.name === 'failed' && <Failed isOffline={view.isOffline} retry={load} />}
      {view.name === 'door' && <Door notice={view.notice} enter={load} />}
      {view.name === 'work' && (
        <OperatorContext.Provider value={view.me}>
          <Shell me={view.me} reloadMe={load} onLoggedOut={leave} />
        </OperatorContext.Provider>
      )}
      {isConfirming && (
        <ConfirmDialog hasPasskey={view.name === 'work' && view.me.hasPasskey} settle={settle} />
      )}
    </div>
  )
}

function Failed({ isOffline, retry }: { isOffline: boolean; retry: () => Promise<void> }) {
  const [isBusy, run] = useBusy(retry)
  return (
    <main>
      <Statement
        icon={isOffline ? <OfflineIcon /> : <AlertIcon />}
        title={isOffline ? words.failed.offlineTitle : words.failed.title}
        text={isOffline ? words.failed.offline : words.failed.text}
      >
        <Button kind="secondary" isBusy={isBusy} onClick={run}>
          {words.retry}
        </Button>
      </Statement>
    </main>
  )
}
