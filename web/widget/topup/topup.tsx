/** The entry point of /widget/topup. */
import { render } from 'preact'
import { useState } from 'preact/hooks'
import type { TopupPageData } from '../../page-data.ts'
import { applyAccent } from '../../ui/accent-color.ts'
import { listLocales } from '../../ui/choose-messages.ts'
import { createDateFormat } from '../../ui/format-date.ts'
import { createMoneyFormat } from '../../ui/format-money.ts'
import { readPageData } from '../../ui/page.ts'
import '../../ui/tokens.css'
import '../../ui/base.css'
import { chooseWidgetMessages } from '../choose-messages.ts'
import { ConfirmOwner } from '../confirm-owner.tsx'
import { Frame } from '../frame.tsx'
import { createParentMessenger, isFromLink } from '../parent.ts'
import { PageContext, type Page } from '../page-context.ts'
import { keepConfirmed } from '../take-address.ts'
import { takeTopupAddress, topupPath } from './address.ts'
import { callWithSession, type WidgetTopupCalls } from './calls.ts'
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

/** Only in a window of its own: a page around a frame could place its own text over the question for the password. */
async function openSavedCards(lang: string, calls: WidgetTopupCalls | undefined) {
  if (window.self !== window.top || !calls) return undefined
  const [{ createSavedCards }, { createPayBySavedCard }, { chooseSavedCardMessages }] =
    await Promise.all([
      import('./saved/use-saved.tsx'),
      import('./saved/pay-saved.tsx'),
      import('./saved/messages.ts'),
    ])
  const messages = chooseSavedCardMessages(lang)
  const listCards = (password: string) => calls.listCards(password)
  return {
    ...createSavedCards({ messages, listCards }),
    PayBySavedCard: createPayBySavedCard(messages),
  }
}

type SavedCards = Awaited<ReturnType<typeof openSavedCards>>

function TopupPage({ saved }: { saved: SavedCards }) {
  const { session = '', isUnconfirmed } = address
  const [isConfirmed, setIsConfirmed] = useState(!isUnconfirmed)
  function confirm() {
    keepConfirmed()
    setIsConfirmed(true)
  }
  const question = !isConfirmed && <ConfirmOwner session={session} proceed={confirm} />
  return (
    <Frame>
      <TopupScreens confirmOwner={question} PayBySavedCard={saved?.PayBySavedCard} />
      {saved && <saved.AskPassword />}
    </Frame>
  )
}

async function start(root: HTMLElement) {
  const languages = listLocales(data.locale)
  const widgetMessages = await chooseWidgetMessages(languages)
  const messages = await chooseTopupMessages(widgetMessages.lang)
  const calls = address.session ? callWithSession(address.session) : undefined
  const saved = await openSavedCards(widgetMessages.lang, calls)
  document.documentElement.lang = widgetMessages.lang
  document.title = messages.pageTitle(data.appName)
  const page: Page = {
    data,
    messages: widgetMessages,
    money: createMoneyFormat(languages),
    date: createDateFormat(languages),
    post: createParentMessenger(data.listeners),
  }
  const topup: Topup = {
    data,
    sharedMessages: widgetMessages,
    messages,
    format: createAmountFormat(languages, data.currency, data.exponent),
    date: page.date,
    payment: address.payment,
    amount: address.amount,
    calls,
    ...(saved && { ChooseCard: saved.ChooseCard }),
    path: topupPath(data.query),
    leave: window.self === window.top ? undefined : leaveFrame,
    post: page.post,
  }
  root.replaceChildren()
  render(
    <PageContext.Provider value={page}>
      <TopupContext.Provider value={topup}>
        <TopupPage saved={saved} />
      </TopupContext.Provider>
    </PageContext.Provider>,
    root,
  )
}

const root = document.getElementById('root')
if (root) void start(root)
