/** Chooses between loading, login and the admin area, and asks for confirmation when an action needs it. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { endLogin, type Login } from '../ui/end-login.ts'
import { LoadFailed } from '../ui/load-failed.tsx'
import { useHeadingFocus } from '../ui/use-heading-focus.ts'
import type { LoginHandlers, Me } from './calls.ts'
import { OperatorContext } from './operator-context.ts'
import { usePage } from './page-context.ts'
import { Shell, ShellPlaceholder } from './shell.tsx'
import { ConfirmDialog } from './sign-in/confirm-dialog.tsx'
import { SignIn } from './sign-in/sign-in.tsx'

const FAILED_MESSAGES = {
  title: 'This page could not be loaded',
  text: 'Something went wrong on our side. Try again in a moment.',
  offlineTitle: 'No response from the service',
  offline: 'Check your connection and try again.',
}

type View =
  | { name: 'loading' }
  | { name: 'failed'; isOffline: boolean }
  | { name: 'signIn'; notice?: string }
  | { name: 'loggedIn'; me: Me }

export function AdminApp({ handlers }: { handlers: LoginHandlers }) {
  const { call } = usePage()
  const [view, setView] = useState<View>({ name: 'loading' })
  const [isConfirming, setIsConfirming] = useState(false)
  const finishConfirm = useRef<(isConfirmed: boolean) => void>(() => {})
  const login = useRef<Login['current']>('none')
  useHeadingFocus(view.name)

  function endConfirm(isConfirmed: boolean) {
    setIsConfirming(false)
    finishConfirm.current(isConfirmed)
  }

  handlers.expired = () => {
    endConfirm(false)
    setView({
      name: 'signIn',
      ...endLogin(login, {
        expired: 'Your login has expired. Log in again to continue where you were.',
        notKept:
          'Your browser did not keep the login. Allow cookies for this page. Safari keeps them only over https.',
      }),
    })
  }
  handlers.confirm = () => {
    finishConfirm.current(false)
    setIsConfirming(true)
    return new Promise((resolve) => {
      finishConfirm.current = resolve
    })
  }

  const load = useCallback(async () => {
    const result = await call('GET /api/admin/sign-in/operator')
    if (result.ok) {
      login.current = 'kept'
      setView({ name: 'loggedIn', me: result.data })
    } else if (result.offline || result.code !== 'LOGIN_REQUIRED') {
      setView({ name: 'failed', isOffline: result.offline })
    }
  }, [])
  useEffect(() => void load(), [])

  function enter() {
    login.current = 'sent'
    return load()
  }

  function leave() {
    login.current = 'none'
    setView({ name: 'signIn', notice: 'You are logged out.' })
  }

  return (
    <>
      {view.name === 'loading' && <ShellPlaceholder />}
      {view.name === 'failed' && <Failed isOffline={view.isOffline} retry={load} />}
      {view.name === 'signIn' && (
        <SignIn key={view.notice} notice={view.notice} onSignedIn={enter} />
      )}
      {view.name === 'loggedIn' && (
        <OperatorContext.Provider value={view.me}>
          <Shell me={view.me} reloadMe={load} onLoggedOut={leave} />
        </OperatorContext.Provider>
      )}
      {isConfirming && (
        <ConfirmDialog
          hasPasskey={view.name === 'loggedIn' && view.me.hasPasskey}
          end={endConfirm}
        />
      )}
    </>
  )
}

function Failed(props: { isOffline: boolean; retry: () => Promise<void> }) {
  return (
    <main>
      <LoadFailed messages={FAILED_MESSAGES} retryLabel="Try again" {...props} />
    </main>
  )
}
