/** The entry point of /account. */
import { render } from 'preact'
import type { AccountPageData } from '../page-data.ts'
import { chooseDateLocales, chooseMessages, readLanguages } from '../ui/choose-messages.ts'
import { createDateFormat } from '../ui/format-date.ts'
import { createMoneyFormat } from '../ui/format-money.ts'
import { readPageData } from '../ui/read-page-data.ts'
import '../ui/tokens.css'
import '../ui/base.css'
import './account.css'
import { AccountApp } from './account-app.tsx'
import { createCalls, type Hooks } from './calls.ts'
import { createDayFormat } from './history/format-day.ts'
import { en, type Messages } from './messages-en.ts'
import { PageContext, type Page } from './page-context.ts'

/** `AccountApp` sets what happens. */
const hooks: Hooks = { expired: () => {} }

async function start(root: HTMLElement) {
  const languages = readLanguages()
  const words = await chooseMessages<Messages>(languages, en, {
    de: async () => (await import('./messages-de.ts')).de,
    es: async () => (await import('./messages-es.ts')).es,
  })
  document.documentElement.lang = words.lang
  const locales = chooseDateLocales(languages, words.lang)
  const page: Page = {
    data: readPageData() as AccountPageData,
    words,
    money: createMoneyFormat(languages),
    date: createDateFormat(locales),
    day: createDayFormat(locales),
    calls: createCalls(hooks),
  }
  root.replaceChildren()
  render(
    <PageContext.Provider value={page}>
      <AccountApp hooks={hooks} />
    </PageContext.Provider>,
    root,
  )
}

const root = document.getElementById('root')
if (root) void start(root)
