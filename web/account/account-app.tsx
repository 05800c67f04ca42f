/** Chooses between loading, login and the account. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { endLogin, type Login } from '../ui/end-login.ts'
import { CheckIcon } from '../ui/icons.tsx'
import { LoadFailed } from '../ui/load-failed.tsx'
import { StatusScreen } from '../ui/status-screen.tsx'
import { TestMode } from '../ui/notice.tsx'
import { useHeadingFocus } from '../ui/use-heading-focus.ts'
import type { Account, LoginHandlers } from './calls.ts'
import { usePage } from './page-context.ts'
import { Shell, ShellPlaceholder } from './shell.tsx'
import { Reset } from './sign-in/reset.tsx'
import { Secure } from './sign-in/secure.tsx'
import { SignIn } from './sign-in/sign-in.tsx'
import { takeMailLink, type MailLink } from './use-route.ts'

type View =
  | { name: 'loading' }
  | { name: 'failed'; isOffline: boolean }
  | { name: 'signIn'; notice?: string; isForgotten?: boolean }
  | { name: 'link'; link: MailLink }
  | { name: 'account'; account: Account }
  | { name: 'deleted' }

interface AccountAppProps {
  handlers: LoginHandlers
  /** Shows the page in the language of the person. */
  setLanguage: (language: Account['language']) => Promise<void>
}

export function AccountApp(props: AccountAppProps) {
  const { messages, data } = usePage()
  const { view, load, enter, leave } = useView(props)
  useHeadingFocus(view.name)

  return (
    <>
      {data.isSandbox && <TestMode text={messages.testMode} />}
      {renderView()}
    </>
  )

  function renderView() {
    switch (view.name) {
      case 'loading':
        return <ShellPlaceholder />
      case 'failed':
        return <Failed isOffline={view.isOffline} retry={load} />
      case 'signIn':
        return <SignIn {...view} notice={view.notice} onSignedIn={enter} />
      case 'link':
        return (
          <OpenedLink
            link={view.link}
            onSignedIn={enter}
            toForgot={() => leave({ name: 'signIn', isForgotten: true })}
          />
        )
      case 'deleted':
        return <Deleted />
      case 'account':
        return (
          <Shell
            account={view.account}
            reload={load}
            onLoggedOut={() => leave({ name: 'signIn', notice: messages.logIn.loggedOut })}
            onDeleted={() => leave({ name: 'deleted' })}
          />
        )
    }
  }
}

interface OpenedLinkProps {
  link: MailLink
  onSignedIn: () => Promise<void>
  toForgot: () => void
}

function OpenedLink({ link: { kind, ticket }, onSignedIn, toForgot }: OpenedLinkProps) {
  if (kind === 'warning') return <Secure ticket={ticket} toForgot={toForgot} />
  // The person checks which apps are connected: somebody else may have connected one.
  function showApps() {
    location.hash = 'apps'
    void onSignedIn()
  }
  return <Reset kind={kind} ticket={ticket} onSignedIn={showApps} toForgot={toForgot} />
}

function Failed(props: { isOffline: boolean; retry: () => Promise<void> }) {
  const { messages } = usePage()
  return (
    <main>
      <LoadFailed messages={messages.failed} retryLabel={messages.retry} {...props} />
    </main>
  )
}

function Deleted() {
  const { deletedTitle, deleted } = usePage().messages.profile
  return (
    <main>
      <StatusScreen isGood icon={<CheckIcon />} title={deletedTitle} text={deleted} />
    </main>
  )
}

/** Runs when the visitor returns to this window after a while, because the data may be out of date. */
function useReturnToPage(act: () => void) {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    let leftAtMs = 0
    function onVisibilityChange() {
      if (document.visibilityState === 'hidden') leftAtMs = performance.now()
      else if (performance.now() - leftAtMs > 15_000) latest.current()
    }
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => document.removeEventListener('visibilitychange', onVisibilityChange)
  }, [])
}

/** The current view, and the transitions between views. */
function useView({ handlers, setLanguage }: AccountAppProps) {
  const { messages, call } = usePage()
  const [view, setView] = useState<View>({ name: 'loading' })
  const login = useRef<Login['current']>('none')
  /** Counts logouts, to ignore responses to requests that were sent before the last one. */
  const logOuts = useRef(0)

  handlers.expired = () => {
    logOuts.current++
    const next = { name: 'signIn', ...endLogin(login, messages.logIn) } as const
    setView((now) => (now.name === 'signIn' && !next.notice ? now : next))
  }

  const load = useCallback(async () => {
    const begun = logOuts.current
    const result = await call('GET /api/account')
    if (begun !== logOuts.current) return
    if (result.ok) {
      await setLanguage(result.data.language)
      login.current = 'kept'
      setView({ name: 'account', account: result.data })
    } else if (result.offline || result.code !== 'LOGIN_REQUIRED') {
      // An account that is shown stays on the screen.
      const failed = { name: 'failed', isOffline: result.offline } as const
      setView((now) => (now.name === 'account' ? now : failed))
    }
  }, [])
  useEffect(() => {
    const link = takeMailLink()
    if (link === undefined) void load()
    else setView({ name: 'link', link })
  }, [])
  useReturnToPage(() => login.current === 'kept' && void load())

  function enter() {
    login.current = 'sent'
    return load()
  }

  function leave(next: View) {
    login.current = 'none'
    logOuts.current++
    setView(next)
  }

  return { view, load, enter, leave }
}
