/** The entry point of /admin. */
import { render } from 'preact'
import type { AdminPageData } from '../page-data.ts'
import { chooseDateLocales, readLanguages } from '../ui/choose-messages.ts'
import { createMoneyFormat } from '../ui/format-money.ts'
import { readPageData } from '../ui/page.ts'
import '../ui/tokens.css'
import '../ui/base.css'
import './admin.css'
import { AdminApp } from './admin-app.tsx'
import { createCalls, type LoginHandlers } from './calls.ts'
import { PageContext, type Page } from './page-context.ts'

/** `AdminApp` replaces these functions. */
const handlers: LoginHandlers = { expired: () => {}, confirm: () => Promise.resolve(false) }

function start(root: HTMLElement) {
  // The messages are in English. Amounts follow the visitor's own locale if it is English too.
  const locales = chooseDateLocales(readLanguages(), 'en')
  const page: Page = {
    data: readPageData() as AdminPageData,
    money: createMoneyFormat(locales),
    ...createCalls(handlers),
  }
  root.replaceChildren()
  render(
    <PageContext.Provider value={page}>
      <AdminApp handlers={handlers} />
    </PageContext.Provider>,
    root,
  )
}

const root = document.getElementById('root')
if (root) start(root)
