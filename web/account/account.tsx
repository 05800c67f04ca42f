/** The entry point of /account. */
import { render } from 'preact'
import type { AccountPageData } from '../page-data.ts'
import { chooseDateLocales, chooseMessages, listLocales } from '../ui/choose-messages.ts'
import { createDateFormat } from '../ui/format-date.ts'
import { createMoneyFormat } from '../ui/format-money.ts'
import { readPageData } from '../ui/page.ts'
import '../ui/tokens.css'
import '../ui/base.css'
import './account.css'
import { AccountApp } from './account-app.tsx'
import { createAccountCall, type Account, type LoginHandlers } from './calls.ts'
import { createDayFormat } from './format-day.ts'
import { en, type Messages } from './messages-en.ts'
import { PageContext, type Page } from './page-context.ts'
import { applyTheme, keepLanguage, readKeptLanguage, readTheme } from './preferences.ts'

/** `AccountApp` replaces these functions. */
const handlers: LoginHandlers = { expired: () => {} }

const call = createAccountCall(handlers)
applyTheme(readTheme())

/** `chosen`: null if the page is in the language of the browser. */
async function createPage(chosen: Account['language']): Promise<Page> {
  const locales = listLocales(chosen)
  const messages = await chooseMessages<Messages>(locales, en, {
    de: async () => (await import('./messages-de.ts')).de,
    es: async () => (await import('./messages-es.ts')).es,
  })
  const dateLocales = chooseDateLocales(locales, messages.lang)
  return {
    data: readPageData() as AccountPageData,
    messages,
    locales,
    money: createMoneyFormat(locales),
    date: createDateFormat(dateLocales),
    day: createDayFormat(dateLocales),
    call,
  }
}

async function start(root: HTMLElement) {
  let shown: Account['language']

  async function show(chosen: Account['language']) {
    shown = chosen
    const page = await createPage(chosen)
    document.documentElement.lang = page.messages.lang
    // The same components with other messages: what the person typed stays.
    render(
      <PageContext.Provider value={page}>
        <AccountApp handlers={handlers} setLanguage={setLanguage} />
      </PageContext.Provider>,
      root,
    )
  }

  async function setLanguage(language: Account['language']) {
    keepLanguage(language)
    if (language !== shown) await show(language)
  }

  root.replaceChildren()
  await show(readKeptLanguage())
}

const root = document.getElementById('root')
if (root) void start(root)
