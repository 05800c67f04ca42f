/** The entry point of /widget/topup. */
import { render } from 'preact'
import { useState } from 'preact/hooks'
import type { TopupPageData } from '../../page-data.ts'
import { applyAccent } from '../../ui/accent-color.ts'
import { listLocales } from '../../ui/choose-messages.ts'
import { createDateFormat } from '../../ui/format-date.ts'
import { createMoneyFormat } from '../../ui/format-money.ts'
import { readPageData } from '../../ui/read-page-data.ts'
import '../../ui/tokens.css'
import '../../ui/base.css'
import { chooseWidgetMessages } from '../choose-messages.ts'
import { ConfirmOwner } from '../confirm-owner.tsx'
import { Frame } from '../frame.tsx'
import { createHost, isFromLink } from '../host.ts'
import { PageContext, type Page } from '../page-context.ts'
import { keepConfirmed } from '../take-address.ts'
import { takeTopupAddress, topupPath } from './address.ts'
import { callWithSession } from './calls.ts'
import { chooseTopupMessages } from './choose-messages.ts'
import { TopupContext, type Topup } from './context.ts'
import { createAmountFormat } from './format.ts'
import { TopupScreens } from './screens.tsx'

const data = readPageData() as TopupPageData
const address = takeTopupAddress(data.query, data.publishableKey, isFromLink(data))
applyAccent(data.accentColor)

function leaveFrame() {
  const { session } = address
  const query = new URLSearchParams(data.query)
  if (session) query.set('session', session)
  location.assign(`/widget/wallet?${query}`)
}

function TopupPage() {
  const { session = '', isUnconfirmed } = address
  const [isConfirmed, setIsConfirmed] = useState(!isUnconfirmed)
  function confirm() {
    keepConfirmed()
    setIsConfirmed(true)
  }
  const question = !isConfirmed && <ConfirmOwner session={session} proceed={confirm} />
  return (
    <Frame>
      <TopupScreens confirmOwner={question} />
    </Frame>
  )
}

async function start(root: HTMLElement) {
  const languages = listLocales(data.locale)
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
    words,
    texts,
    format: createAmountFormat(languages, data.currency, data.exponent),
    date: page.date,
    payment: address.payment,
    amount: address.amount,
    calls: address.session ? callWithSession(address.session) : undefined,
    path: topupPath(data.query),
    leave: window.self === window.top ? undefined : leaveFrame,
    post: page.post,
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
