/** The entry point of /widget/topup. */
import { render } from 'preact'
import type { TopupPageData } from '../../page-data.ts'
import { applyAccent } from '../../ui/accent-color.ts'
import { readLanguages } from '../../ui/choose-messages.ts'
import { createDateFormat } from '../../ui/format-date.ts'
import { createMoneyFormat } from '../../ui/format-money.ts'
import { readPageData } from '../../ui/read-page-data.ts'
import '../../ui/tokens.css'
import '../../ui/base.css'
import { chooseWidgetMessages } from '../choose-messages.ts'
import { createHost, isFromLink } from '../host.ts'
import { topupEn, type TopupMessages } from './messages-en.ts'
import { PageContext, type Page } from '../page-context.ts'
import { takeTopupAddress } from './address.ts'
import { TopupContext, type Topup } from './context.ts'
import { createAmountFormat } from './format.ts'
import { TopupPage } from './page.tsx'

const data = readPageData() as TopupPageData
const address = takeTopupAddress(data.clientId, data.publishableKey, isFromLink(data))
applyAccent(data.accentColor)

async function chooseTopupMessages(lang: string): Promise<TopupMessages> {
  if (lang !== 'de') return topupEn
  return import('./messages-de.ts').then(
    ({ topupDe }) => topupDe,
    () => topupEn,
  )
}

async function start(root: HTMLElement) {
  const languages = readLanguages()
  const words = await chooseWidgetMessages(languages)
  const texts = await chooseTopupMessages(words.lang)
  document.documentElement.lang = words.lang
  document.title = texts.pageTitle(data.appName)
  const page: Page = {
    data,
    words,
    money: createMoneyFormat(languages),
    date: createDateFormat(languages),
    post: createHost(data.listeners),
  }
  const topup: Topup = {
    data,
    texts,
    lang: words.lang,
    format: createAmountFormat(languages, data.currency, data.exponent),
    address,
    isFramed: window.self !== window.top,
  }
  root.replaceChildren()
  render(
    <PageContext.Provider value={page}>
      <TopupContext.Provider value={topup}>
        <TopupPage />
      </TopupContext.Provider>
    </PageContext.Provider>,
    root,
  )
}

const root = document.getElementById('root')
if (root) void start(root)
