/** Who is there: nobody yet, somebody at the door, or somebody with an account to show. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../ui/button.tsx'
import { AlertIcon, CheckIcon, OfflineIcon } from '../ui/icons.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { useHeadingFocus } from '../ui/use-heading-focus.ts'
import type { Account } from './calls.ts'
import { Door } from './sign-in/sign-in.tsx'
import { usePage } from './page-context.ts'
import { Shell } from './shell.tsx'
import { ShellPlaceholder } from './shell-placeholder.tsx'
import { Statement } from './status-screen.tsx'

type View =
  | { name: 'loading' }
  | { name: 'failed'; isOffline: boolean }
  | { name: 'door'; notice?: string }
  | { name: 'account'; account: Account }
  | { name: 'deleted' }

/** `expiry.hear` is called whenever a call finds the log-in over. */
export function AccountApp({ expiry }: { expiry: { hear: () => void } }) {
  const { words, calls, data } = usePage()
  const [view, setView] = useState<View>({ name: 'loading' })
  const wasIn = useRef(false)
  useHeadingFocus(view.name)

  expiry.hear = () => {
    setView(wasIn.current ? { name: 'door', notice: words.logIn.expired } : { name: 'door' })
    wasIn.current = false
  }

  const load = useCallback(async () => {
    const result = await calls.readAccount()
    if (result.ok) {
      wasIn.current = true
      setView({ name: 'account', account: result.data })
    } else if (result.offline || result.code !== 'LOGIN_REQUIRED') {
      // What is shown stays; a page without anything says so.
      const failed = { name: 'failed', isOffline: result.offline } as const
      setView((now) => (now.name === 'account' ? now : failed))
    }
  }, [])
  useEffect(() => void load(), [])
  useReturn(() => wasIn.current && void load())

  function leave(next: View) {
    wasIn.current = false
    setView(next)
  }

  return (
    <>
      {data.isSandbox && <aside class="test-mode">{words.testMode}</aside>}
      {renderView()}
    </>
  )

  function renderView() {
    switch (view.name) {
      case 'loading':
        return <ShellPlaceholder />
      case 'failed':
        return <Failed isOffline={view.isOffline} retry={load} />
      case 'door':
        return <Door notice={view.notice} enter={load} />
      case 'deleted':
        return (
          <Statement
            icon={<CheckIcon />}
            title={words.profile.deletedTitle}
            text={words.profile.deleted}
          />
        )
      case 'account':
        return (
          <Shell
            account={view.account}
            reload={load}
            onLoggedOut={() => leave({ name: 'door', notice: words.logIn.loggedOut })}
            onDeleted={() => leave({ name: 'deleted' })}
          />
        )
    }
  }
}

function Failed({ isOffline, retry }: { isOffline: boolean; retry: () => Promise<void> }) {
  const { words } = usePage()
  const [isBusy, run] = useBusy(retry)
  return (
    <Statement
      icon={isOffline ? <OfflineIcon /> : <AlertIcon />}
      title={isOffline ? words.failed.offlineTitle : words.failed.title}
      text={isOffline ? words.failed.offline : words.failed.text}
    >
      <Button kind="secondary" isBusy={isBusy} onClick={run}>
        {words.retry}
      </Button>
    </Statement>
  )
}

/** Somebody comes back to this window after a while: what it shows may be old. */
function useReturn(act: () => void) {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    let leftAtMs = 0
    function hear() {
      if (document.visibilityState === 'hidden') leftAtMs = performance.now()
      else if (performance.now() - leftAtMs > 15_000) latest.current()
    }
    document.addEventListener('visibilitychange', hear)
    return () => document.removeEventListener('visibilitychange', hear)
  }, [])
}
