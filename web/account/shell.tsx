/** The frame around every section: brand, navigation and the person who is logged in. Also its placeholder. */
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { TextButton } from '../ui/button.tsx'
import { ShellFrame } from '../ui/shell.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { useHeadingFocus } from '../ui/use-heading-focus.ts'
import { Apps } from './apps/apps.tsx'
import { History } from './history/history.tsx'
import { AppsIcon, ListIcon, WalletIcon } from '../ui/icons.tsx'
import { HomeIcon, PersonIcon } from './icons.tsx'
import { Overview } from './overview.tsx'
import { usePage, type SectionProps } from './page-context.ts'
import { Profile } from './profile/profile.tsx'
import { Statement } from './statement/statement.tsx'
import { SECTIONS, useRoute, type Section } from './use-route.ts'
import { TextPlaceholder } from '../ui/placeholder.tsx'
import { EntryPlaceholders } from './history/entry-list.tsx'
import * as base from '../ui/base.module.css'
import * as shell from '../ui/shell.module.css'
import * as styles from './shell.module.css'
import * as parts from './parts.module.css'

interface ShellProps extends SectionProps {
  onLoggedOut: () => void
  onDeleted: () => void
}

const ICONS: Record<(typeof SECTIONS)[number], ComponentType> = {
  overview: HomeIcon,
  history: ListIcon,
  apps: AppsIcon,
  profile: PersonIcon,
}

export function Shell({ account, reload, onLoggedOut, onDeleted }: ShellProps) {
  const { messages } = usePage()
  const { section, parameters } = useRoute()
  useHeadingFocus(section)
  useEffect(() => {
    const isStatement = section === 'statement'
    document.title = messages.pageTitle(
      isStatement ? messages.statement.title : messages.nav[section],
    )
  }, [section, messages])
  useEffect(() => scrollTo(0, 0), [section])

  const shared = { account, reload }
  return (
    <ShellFrame
      class={styles.shell}
      skip={messages.skip}
      side={
        <>
          <Brand />
          <Navigation section={section === 'statement' ? 'history' : section} />
          <PersonCard account={account} onLoggedOut={onLoggedOut} />
        </>
      }
    >
      {section === 'overview' && <Overview {...shared} />}
      {section === 'history' && <History parameters={parameters} />}
      {section === 'statement' && <Statement account={account} parameters={parameters} />}
      {section === 'apps' && <Apps {...shared} />}
      {section === 'profile' && <Profile {...shared} onDeleted={onDeleted} />}
    </ShellFrame>
  )
}

function Navigation({ section }: { section: Section }) {
  const { messages } = usePage()
  const short = {
    ...messages.nav,
    apps: messages.nav.appsShort,
    profile: messages.nav.profileShort,
  }
  return (
    <nav class={`${shell.nav} ${styles.nav}`} aria-label={messages.nav.label}>
      <ul>
        {SECTIONS.map((each) => {
          const SectionIcon = ICONS[each]
          return (
            <li key={each}>
              <a href={`#${each}`} aria-current={each === section ? 'page' : undefined}>
                <SectionIcon />
                <span class={styles.navLong}>{messages.nav[each]}</span>
                <span class={styles.navShort}>{short[each]}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

function PersonCard({ account, onLoggedOut }: Pick<ShellProps, 'account' | 'onLoggedOut'>) {
  const { messages, call } = usePage()
  const [isBusy, logOut] = useBusy(async () => {
    const result = await call('POST /api/account/log-out')
    if (result.ok) onLoggedOut()
  })
  return (
    <div class={styles.person}>
      <p class={styles.personName} dir="auto">
        {account.firstName} {account.lastName}
      </p>
      <p class={`${styles.personEmail} ${base.muted}`}>{account.email}</p>
      <TextButton isBusy={isBusy} onClick={logOut}>
        {messages.logOut}
      </TextButton>
    </div>
  )
}

function Brand() {
  const { messages } = usePage()
  return (
    <p class={`${shell.brand} ${styles.brand}`}>
      <span class={shell.mark}>
        <WalletIcon />
      </span>
      {messages.brand}
    </p>
  )
}

/** Has the same boxes as the overview, so that nothing moves when it appears. */
export function ShellPlaceholder() {
  const { messages } = usePage()
  return (
    <ShellFrame class={styles.shell} side={<Brand />}>
      <h1 class={base.visuallyHidden}>{messages.loading}</h1>
      <div class={parts.section} aria-hidden="true">
        <p class={parts.sectionTitle}>
          <TextPlaceholder length={12} />
        </p>
        <div class={parts.balance}>
          <p class={parts.balanceLabel}>
            <TextPlaceholder length={7} />
          </p>
          <p class={parts.balanceAmount}>
            <TextPlaceholder length={7} />
          </p>
        </div>
        <EntryPlaceholders count={4} />
      </div>
    </ShellFrame>
  )
}
