import type { WalletTexts } from './wallet-options.ts'

export const TEXTS: WalletTexts = {
  frameTitle: 'Wallet',
  openFailed: 'Your wallet could not be opened. Check your connection, then try again.',
  linkFailed: 'Your wallet could not be connected to this page. Nothing was charged. Try again.',
  switchFailed: 'Your wallet is still connected: switching accounts failed. Try again.',
  retry: 'Try again',
  topupFailed: 'The top-up could not be started. Nothing was charged. Try again.',
  topupBlocked: 'Your browser blocked the top-up window.',
  openTopup: 'Open it',
  topupLoading: 'One moment…',
}
