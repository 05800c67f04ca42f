/** All messages of the widget. Each one says what happened and what to do next. */
import { sharedEn } from '../ui/messages-en.ts'
import type { signInEn } from './sign-in/messages-en.ts'

const walletEn = {
  ...sharedEn,
  pageTitle: (app: string) => `Your wallet in ${app}`,
  loading: 'Your wallet is loading.',
  provider: (service: string) => `Wallet by ${service}`,
  help: 'Help',

  wallet: {
    greeting: (firstName: string) => `Hello, ${firstName}`,
    balance: 'Balance',
    balanceChanged: (balance: string) => `Your balance is now ${balance}.`,
    addMoney: 'Add money',
    topupAsked: (app: string) =>
      `${app} opens the top-up in a new window. If it does not open, allow pop-ups and try again.`,
    spendable: (app: string, amount: string) => `${app} may take up to ${amount} now.`,
    activity: 'Recent activity',
    emptyTitle: 'No recent transactions',
    empty: (app: string) => `Add money. Your payments in ${app} will appear here.`,
    manageAccount: 'Manage account',
    opensWindow: '(opens a new window)',
    switchAccount: 'Not you? Switch account',
    switchQuestion: (app: string) =>
      `You log out of this wallet in ${app}, then log in with another account. You keep your money.`,
    switchConfirm: 'Switch account',
    switchCancel: 'Cancel',
    switchAsked: (app: string) =>
      `${app} is switching accounts. If nothing happens, reload the page.`,
    frozenTitle: 'This wallet is frozen.',
    frozen: sharedEn.frozen,
    offline: 'You are offline. This balance may be out of date until you are back online.',
    stale: 'We could not update your wallet. This balance may be out of date.',
    retry: 'Try again',
    received: 'Received',
    paid: 'Paid',
    released: 'Released',
    sources: {
      this_app: 'Payment',
      other_app: 'Other app',
      topup: 'Top-up',
      bonus: 'Bonus',
      dispute: 'Dispute',
      correction: 'Correction',
      hold: 'Reserved',
    },
  },

  failed: {
    offlineTitle: 'You are offline',
    offline: 'We cannot reach your wallet. Check your connection and try again.',
    title: 'Your wallet did not load',
    text: sharedEn.failedText,
    busy: 'Too many requests at once. We will try again automatically in a moment.',
    endedTitle: 'Your session has ended',
    ended: (app: string) =>
      `To protect your wallet, sessions last only a few minutes. Reload the ${app} page to open it again.`,
  },
}

export type Messages = typeof walletEn & typeof signInEn

/** The login adds its own messages when it is loaded: a visitor with a session does not need them. */
export const en = walletEn as Messages
