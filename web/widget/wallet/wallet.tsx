/** The entry point of /widget/wallet. */
import { render } from 'preact'
import type { WidgetPageData } from '../../page-data.ts'
import { applyAccent } from '../../ui/accent-color.ts'
import { chooseDateLocales, listLocales } from '../../ui/choose-messages.ts'
import { createDateFormat } from '../../ui/format-date.ts'
import { createMoneyFormat } from '../../ui/format-money.ts'
import { readPageData } from '../../ui/page.ts'
import '../../ui/tokens.css'
import '../../ui/base.css'
import { chooseWidgetMessages } from '../choose-messages.ts'
import { createParentMessenger, isFromLink } from '../parent.ts'
import { PageContext, type Page } from '../page-context.ts'
import { takeAddress } from '../take-address.ts'
import { PageFailed } from './status-screens.tsx'

const data = readPageData() as WidgetPageData
const { session, isUnconfirmed, ...address } = takeAddress(
  '/widget/wallet',
  data.query,
  isFromLink(data),
)
applyAccent(data.accentColor)

async function start(root: HTMLElement) {
  const languages = listLocales(data.locale)
  // A visitor has either a session or the sign-in forms, and one who comes from the app confirms nothing. The server
  // lists the files that are needed in the page, so that they load in parallel.
  const [messages, signIn, wallet, confirming] = await Promise.all([
    chooseWidgetMessages(languages),
    session === undefined ? import('../sign-in/sign-in.tsx').catch(() => null) : null,
    session === undefined ? null : import('./page.tsx').catch(() => null),
    isUnconfirmed ? import('./confirmed-wallet.tsx').catch(() => null) : null,
  ])
  document.documentElement.lang = messages.lang
  document.title = messages.pageTitle(data.appName)
  const page: Page = {
    data,
    messages,
    money: createMoneyFormat(languages),
    date: createDateFormat(chooseDateLocales(languages, messages.lang)),
    post: createParentMessenger(data.listeners),
  }
  root.replaceChildren()
  render(<PageContext.Provider value={page}>{renderPage()}</PageContext.Provider>, root)

  function renderPage() {
    if (session === undefined) return signIn ? <signIn.SignIn {...address} /> : <PageFailed />
    if (!isUnconfirmed) return wallet ? <wallet.WalletPage session={session} /> : <PageFailed />
    return confirming ? <confirming.ConfirmedWallet session={session} /> : <PageFailed />
  }
}

const root = document.getElementById('root')
if (root) void start(root)
