/** The entry point of /account/topup: the widget's top-up, with the person's own login. */
import { render } from 'preact'
import type { PaymentPageData } from '../../page-data.ts'
import { chooseDateLocales, chooseMessages, listLocales } from '../../ui/choose-messages.ts'
import { createDateFormat } from '../../ui/format-date.ts'
import { sharedEn, type SharedMessages } from '../../ui/messages-en.ts'
import { readPageData } from '../../ui/page.ts'
import { TestMode } from '../../ui/notice.tsx'
import '../../ui/tokens.css'
import '../../ui/base.css'
import { chooseTopupMessages } from '../../widget/topup/choose-messages.ts'
import { TopupContext, type Topup } from '../../widget/topup/context.ts'
import { createAmountFormat } from '../../widget/topup/format.ts'
import { TopupScreens } from '../../widget/topup/screens.tsx'
import { applyTheme, readKeptLanguage, readTheme } from '../preferences.ts'
import { TOPUP_CALLS } from './calls.ts'
import { createChooseCard } from './choose-card.tsx'
import { adaptMessages } from './messages.ts'
import { createPayBySavedCard } from '../../widget/topup/saved/pay-saved.tsx'
import { readReturned, type Payment } from '../../widget/topup/address.ts'
import * as button from '../../ui/button.module.css'
import * as frame from '../../widget/frame.module.css'

const ACCOUNT_PATH = '/account'
const TOPUP_PATH = '/account/topup'

const data = readPageData() as PaymentPageData
const payment = takePayment(data.publishableKey)
applyTheme(readTheme())

/**
 * The payment that was in progress: one that a bank's redirect brought, or the one of this history entry. Removes it
 * from the address before the processor's script is loaded, because that reports the addresses of pages.
 */
function takePayment(publishableKey: string): Payment | undefined {
  const kept = (history.state ?? {}) as { payment?: Payment }
  const current = readReturned(new URLSearchParams(location.search), publishableKey) ?? kept.payment
  history.replaceState({ ...(current && { payment: current }) }, '', TOPUP_PATH)
  return current
}

async function start(root: HTMLElement) {
  const languages = listLocales(readKeptLanguage())
  const sharedMessages = await chooseMessages<SharedMessages>(languages, sharedEn, {
    de: async () => (await import('../../ui/messages-de.ts')).sharedDe,
    es: async () => (await import('../../ui/messages-es.ts')).sharedEs,
  })
  const messages = adaptMessages(
    sharedMessages.lang,
    await chooseTopupMessages(sharedMessages.lang),
  )
  document.documentElement.lang = sharedMessages.lang
  document.title = messages.pageTitle('')
  const topup: Topup = {
    data,
    sharedMessages,
    messages,
    format: createAmountFormat(languages, data.currency, data.exponent),
    date: createDateFormat(chooseDateLocales(languages, sharedMessages.lang)),
    payment,
    calls: TOPUP_CALLS,
    path: TOPUP_PATH,
    ChooseCard: createChooseCard(messages.cards),
    leave: () => location.assign(ACCOUNT_PATH),
    post: () => undefined,
  }
  root.replaceChildren()
  render(
    <TopupContext.Provider value={topup}>
      <div class={`${frame.page} ${frame.full}`}>
        {data.isSandbox && <TestMode text={sharedMessages.testMode} />}
        <main class={frame.frame}>
          <p>
            <a class={button.textButton} href={ACCOUNT_PATH}>
              {messages.account}
            </a>
          </p>
          <TopupScreens PayBySavedCard={createPayBySavedCard(messages.cards)} />
        </main>
      </div>
    </TopupContext.Provider>,
    root,
  )
}

const root = document.getElementById('root')
if (root) void start(root)
