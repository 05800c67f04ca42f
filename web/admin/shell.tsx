/** The frame of the area: brand, navigation, who is logged in, and the page that the address names. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { TextButton } from '../ui/button.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { useHeadingFocus } from '../ui/use-heading-focus.ts'
import { AppDetail } from './app-detail.tsx'
import { AppList } from './app-list.tsx'
import { AppRegister } from './app-register.tsx'
import { Audit } from './audit.tsx'
import { Brand } from './brand.tsx'
import type { Me } from './calls.ts'
import { AppsIcon, ListIcon, PeopleIcon } from './icons.tsx'
import { words } from './messages.ts'
import { NotFound } from './not-found.tsx'
import { useMay } from './operator-context.ts'
import { Operators } from './operators.tsx'
import { usePage } from './page-context.ts'
import { Link, paths, replaceAddress, type Route, useRoute } from './route.tsx'

interface ShellProps {
  me: Me
  onLoggedOut: () => void
}

const SECTIONS = [
  { path: paths.apps, name: words.nav.apps, icon: <AppsIcon /> },
  { path: paths.operators, name: words.nav.operators, icon: <PeopleIcon /> },
  { path: paths.audit, name: words.nav.audit, icon: <ListIcon /> },
]

export function Shell({ me, onLoggedOut }: ShellProps) {
  const route = useRoute()
  const main = useRef<HTMLElement>(null)
  const isHome = route.path === paths.home
  const section = SECTIONS.find(({ path }) => `${route.path}/`.startsWith(`${path}/`))
  useHeadingFocus(route.path)
  useEffect(() => {
    if (isHome) replaceAddress(paths.apps)
    document.title = words.pageTitle(section?.name ?? words.notFound.title)
    scrollTo(0, 0)
  }, [route.path])
  return (
    <div class="shell">
      <button class="skip" type="button" onClick={() => main.current?.focus()}>
        {words.skip}
      </button>
      <header class="side">
        <Brand />
        <nav class="nav" aria-label={words.nav.label}>
          <ul>
            {SECTIONS.map(({ path, name, icon }) => (
              <li key={path}>
                <Link to={path} isCurrent={path === section?.path}>
                  {icon}
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <PersonCard me={me} onLoggedOut={onLoggedOut} />
      </header>
      <main class="content" ref={main} tabIndex={-1}>
        {!isHome && <Section route={route} />}
      </main>
    </div>
  )
}

function Section({ route }: { route: Route }): ComponentChildren {
  const { path, parameters } = route
  const mayRegister = useMay('operator')
  if (path === paths.apps) return <AppList parameters={parameters} />
  if (path === paths.newApp && mayRegister) return <AppRegister />
  if (path === paths.operators) return <Operators />
  if (path === paths.audit) return <Audit parameters={parameters} />
  const [, clientId] = /^\/admin\/client-apps\/(\w{1,64})$/.exec(path) ?? []
  if (clientId && path !== paths.newApp) {
    return <AppDetail key={clientId} clientId={clientId} tab={parameters['tab']} />
  }
  return <NotFound />
}

function PersonCard({ me, onLoggedOut }: ShellProps) {
  const { calls } = usePage()
  const [isBusy, logOut] = useBusy(async () => {
    const result = await calls.logOut()
    if (result.ok) onLoggedOut()
  })
  return (
    <div class="person">
      <div class="person-text">
        <p class="person-name" dir="auto">
          {me.name}
        </p>
        <p class="person-meta muted">
          <span class="person-email">{me.email} · </span>
          {words.roles[me.role]}
        </p>
      </div>
      <TextButton isBusy={isBusy} onClick={logOut}>
        {words.logOut}
      </TextButton>
    </div>
  )
}
