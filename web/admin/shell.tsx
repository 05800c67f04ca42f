/** The frame of the admin area: brand, navigation, the operator who is logged in, and the page of the current URL. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useState } from 'preact/hooks'
import { TextButton } from '../ui/button.tsx'
import { CardIcon, AppsIcon, ListIcon } from '../ui/icons.tsx'
import { ShellFrame } from '../ui/shell.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { useHeadingFocus } from '../ui/use-heading-focus.ts'
import { AppDetail } from './client-apps/detail.tsx'
import { AppList } from './client-apps/list.tsx'
import { AppRegister } from './client-apps/register.tsx'
import { Approvals } from './grants/grants.tsx'
import { ApprovalsCount } from './kit/approvals-count.tsx'
import { Audit } from './audit/audit.tsx'
import { Brand } from './brand.tsx'
import type { Me } from './calls.ts'
import {
  ApprovalsIcon,
  ChartIcon,
  PeopleIcon,
  ReceiptIcon,
  ShieldIcon,
  SwitchIcon,
} from './kit/icons.tsx'
import { NotFound } from './not-found.tsx'
import { Operations } from './operations/operations.tsx'
import { useMay, ROLE_NAMES } from './operator-context.ts'
import { Operators } from './operators/operators.tsx'
import { Overview } from './overview/overview.tsx'
import { usePage } from './page-context.ts'
import { People } from './people/people.tsx'
import { PersonPage } from './people/page.tsx'
import { paths } from './paths.ts'
import { Link, type Route, useRoute } from './route.tsx'
import { InitialPasswordNotice } from './sign-in/password.tsx'
import { OwnSignIn } from './sign-in/own-sign-in.tsx'
import { PausedBanner } from './kit/pause-writes.tsx'
import { SearchResults } from './search-results.tsx'
import { SearchEverything } from './kit/search-everything.tsx'
import { Switches } from './switches/switches.tsx'
import { TopupPage } from './topups/page.tsx'
import { Topups } from './topups/topups.tsx'
import { Webhooks } from './webhooks/webhooks.tsx'
import { TextPlaceholder } from '../ui/placeholder.tsx'
import * as base from '../ui/base.module.css'
import * as shell from '../ui/shell.module.css'
import * as styles from './shell.module.css'
import * as parts from './kit/parts.module.css'

interface ShellProps {
  me: Me
  reloadMe: () => Promise<void>
  onLoggedOut: () => void
}

const SECTIONS = [
  { path: paths.home, name: 'Overview', icon: <ChartIcon /> },
  { path: paths.apps, name: 'Client apps', icon: <AppsIcon /> },
  { path: paths.people, name: 'People', icon: <PeopleIcon /> },
  { path: paths.operations, name: 'Operations', icon: <ReceiptIcon /> },
  { path: paths.topups, name: 'Top-ups', icon: <CardIcon /> },
  { path: paths.approvals, name: 'Approvals', icon: <ApprovalsIcon /> },
  { path: paths.operators, name: 'Operators', icon: <ShieldIcon /> },
  { path: paths.audit, name: 'Audit log', icon: <ListIcon /> },
  { path: paths.switches, name: 'Switches', icon: <SwitchIcon /> },
]

export function Shell({ me, reloadMe, onLoggedOut }: ShellProps) {
  const route = useRoute()
  const isMe = route.path === paths.me
  const own = isMe ? 'Your sign-in' : route.path === paths.search && 'Search'
  // Webhooks are shown as a section of their client app.
  const place = route.path.replace(/^\/admin\/webhooks\//, `${paths.apps}/`)
  const section = SECTIONS.find(({ path }) =>
    // Every path starts with the path of the overview.
    path === paths.home ? place === path : `${place}/`.startsWith(`${path}/`),
  )
  useHeadingFocus(route.path)
  useEffect(() => {
    document.title = `${section?.name ?? (own || 'Page not found')} · Coffer admin`
    scrollTo(0, 0)
  }, [route.path])
  return (
    <ShellFrame
      class={styles.shell}
      skip="Skip to content"
      side={
        <>
          <Brand />
          <SearchEverything class={styles.searchInSide} />
          <Navigation current={section?.path} path={route.path} />
          <PersonCard me={me} isMe={isMe} onLoggedOut={onLoggedOut} />
        </>
      }
    >
      <SearchEverything class={styles.searchInPage} />
      {!isMe && <InitialPasswordNotice />}
      <PausedBanner path={route.path} />
      <Section route={route} reloadMe={reloadMe} />
    </ShellFrame>
  )
}

interface NavigationProps {
  /** The path of the section. */
  current: string | undefined
  path: string
}

/** A narrow window shows the links after a press of the button. */
function Navigation({ current, path }: NavigationProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  useEffect(() => setIsOpen(false), [path])
  return (
    <>
      <button
        class={styles.menu}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ListIcon />
        Menu
      </button>
      <nav
        class={`${shell.nav} ${styles.nav} ${isOpen ? styles.navOpen : ''}`}
        id={id}
        aria-label="Admin area"
      >
        <ul>
          {SECTIONS.map((section) => (
            <li key={section.path}>
              <Link to={section.path} isCurrent={section.path === current}>
                {section.icon}
                {section.name}
                {section.path === paths.approvals && <ApprovalsCount path={path} />}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}

interface SectionProps extends Pick<ShellProps, 'reloadMe'> {
  route: Route
}

function Section({ route, reloadMe }: SectionProps): ComponentChildren {
  const { path, parameters } = route
  const mayRegister = useMay('operator')
  if (path === paths.home) return <Overview parameters={parameters} />
  if (path === paths.search) return <SearchResults text={parameters['search'] ?? ''} />
  if (path === paths.apps) return <AppList parameters={parameters} />
  if (path === paths.newApp && mayRegister) return <AppRegister />
  if (path === paths.operations) return <Operations parameters={parameters} />
  if (path === paths.topups) return <Topups parameters={parameters} />
  if (path === paths.approvals) return <Approvals parameters={parameters} />
  if (path === paths.people) return <People parameters={parameters} />
  if (path === paths.operators) return <Operators />
  if (path === paths.audit) return <Audit parameters={parameters} />
  if (path === paths.switches) return <Switches />
  if (path === paths.me) return <OwnSignIn reloadMe={reloadMe} />
  const [, clientId] = /^\/admin\/client-apps\/(\w{1,64})$/.exec(path) ?? []
  if (clientId && path !== paths.newApp) {
    return <AppDetail key={clientId} clientId={clientId} tab={parameters['tab']} />
  }
  const [, appId] = /^\/admin\/webhooks\/(\w{1,64})$/.exec(path) ?? []
  if (appId) return <Webhooks key={appId} clientId={appId} webhookId={parameters['webhook']} />
  const [, personId] = /^\/admin\/people\/(\d{1,18})$/.exec(path) ?? []
  if (personId) return <PersonPage key={personId} id={personId} parameters={parameters} />
  const [, topupId] = /^\/admin\/topups\/([0-9a-f-]{36})$/.exec(path) ?? []
  if (topupId) return <TopupPage key={topupId} id={topupId} />
  return <NotFound />
}

interface PersonCardProps extends Pick<ShellProps, 'me' | 'onLoggedOut'> {
  isMe: boolean
}

function PersonCard({ me, isMe, onLoggedOut }: PersonCardProps) {
  const { call } = usePage()
  const [isBusy, logOut] = useBusy(async () => {
    const result = await call('POST /api/admin/sign-in/log-out')
    if (result.ok) onLoggedOut()
  })
  return (
    <div class={styles.person}>
      <Link class={styles.personText} to={paths.me} isCurrent={isMe}>
        <span class={base.visuallyHidden}>Your sign-in: </span>
        <span class={styles.personName} dir="auto">
          {me.name}
        </span>
        <span class={`${styles.personMeta} ${base.muted}`}>
          <span class={styles.personEmail}>{me.email} · </span>
          {ROLE_NAMES[me.role]}
        </span>
      </Link>
      <TextButton isBusy={isBusy} onClick={logOut}>
        Log out
      </TextButton>
    </div>
  )
}

/** Has the same boxes as a section, so that nothing moves when the section appears. */
export function ShellPlaceholder() {
  return (
    <ShellFrame class={styles.shell} side={<Brand />}>
      <h1 class={base.visuallyHidden}>Loading …</h1>
      <div class={parts.section} aria-hidden="true">
        <p class={parts.sectionTitle}>
          <TextPlaceholder length={12} />
        </p>
        {[34, 28, 31].map((length) => (
          <p key={length}>
            <TextPlaceholder length={length} />
          </p>
        ))}
      </div>
    </ShellFrame>
  )
}
