import { paths } from '../paths.ts'
import { Link } from '../route.tsx'
import type { ClientApp } from '../calls.ts'
import * as detail from './detail.module.css'

const TABS = {
  settings: 'Settings',
  secrets: 'Secrets',
  webhooks: 'Webhooks',
  events: 'Events',
  integration: 'Integration',
  statement: 'Statement',
}

type Tab = keyof typeof TABS

interface AppTabsProps {
  clientId: string
  current: Tab
}

/** The sections of a client app. Its webhooks are an area of their own. */
export function AppTabs({ clientId, current }: AppTabsProps) {
  const tabs = Object.keys(TABS) as Tab[]
  return (
    <nav class={detail.tabs} aria-label="Sections of this client app">
      {tabs.map((tab) => (
        <Link key={tab} to={pathOf(clientId, tab)} isCurrent={tab === current}>
          {TABS[tab]}
        </Link>
      ))}
    </nav>
  )
}

function pathOf(clientId: string, tab: Tab): string {
  if (tab === 'webhooks') return paths.webhooks(clientId)
  return tab === 'settings' ? paths.app(clientId) : `${paths.app(clientId)}?tab=${tab}`
}

/** The props of every tab of a client app. */
export interface TabProps {
  app: ClientApp
  reload: () => Promise<void>
}
