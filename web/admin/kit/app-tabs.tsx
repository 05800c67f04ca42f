import { words } from '../messages.ts'
import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import * as detail from './detail.module.css'

type Tab = keyof typeof words.detail.tabs

interface AppTabsProps {
  clientId: string
  current: Tab
}

/** The sections of a client app. Its webhooks are an area of their own. */
export function AppTabs({ clientId, current }: AppTabsProps) {
  const tabs = Object.keys(words.detail.tabs) as Tab[]
  return (
    <nav class={detail.tabs} aria-label={words.detail.tabsLabel}>
      {tabs.map((tab) => (
        <Link key={tab} to={pathOf(clientId, tab)} isCurrent={tab === current}>
          {words.detail.tabs[tab]}
        </Link>
      ))}
    </nav>
  )
}

function pathOf(clientId: string, tab: Tab): string {
  if (tab === 'webhooks') return paths.webhooks(clientId)
  return tab === 'settings' ? paths.app(clientId) : `${paths.app(clientId)}?tab=${tab}`
}
