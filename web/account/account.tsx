/** The entry of /account. */
import { render } from 'preact'
import type { AccountPageData } from '../page-data.ts'
import { createDateFormat } from '../ui/format-date.ts'
import { createMoneyFormat } from '../ui/format-money.ts'
import { readPageData } from '../ui/read-page-data.ts'
import '../ui/tokens.css'
import '../ui/base.css'
import { AccountApp } from './account-app.tsx'
import { createCalls } from './calls.ts'
import { chooseDateLocales, chooseMessages } from './choose-messages.ts'
import { createDayFormat } from './history/format-day.ts'
import { PageContext, type Page } from './page-context.ts'
import './account.css'

/** Until the page listens, nobody is logged in. */
const expiry = { hear: () => {} }

async function start(root: HTMLElement) {
  const words = await chooseMessages(navigator.languages)
  document.documentElement.lang = words.lang
  const locales = chooseDateLocales(navigator.languages, words.lang)
  const page: Page = {
    data: readPageData() as AccountPageData,
    words,
    money: createMoneyFormat(navigator.languages),
    date: createDateFormat(locales),
    day: createDayFormat(locales),
    calls: createCalls(() => expiry.hear()),
  }
  root.replaceChildren()
  render(
    <PageContext.Provider value={page}>
      <AccountApp expiry={expiry} />
    </PageContext.Provider>,
    root,
  )
}

const root = document.getElementById('root')
if (root) void start(root)
