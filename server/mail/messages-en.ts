/**
 * The emails to people, in English; the other languages have the same ones. No subject contains a code or a link:
 * locked screens and logs of mail servers show subjects.
 */
import {
  RESET_LINK_MINUTES,
  TICKET_MINUTES,
  UNDO_LINK_DAYS,
  WARNING_LINK_DAYS,
} from '@coffer/contract/limits'
import type { Mail } from './messages.ts'

/** Why automatic top-up is suspended. */
export type SuspensionReason = 'authentication' | 'failures' | 'card'

export interface Receipt {
  amount: string
  paidAt: string
  paymentId: string
}

export interface ReportedPayment {
  app: string
  amount: string
  paidAt: string
  description: string | null
}

/** The last sentences of an email about an account. Without a link, nobody verified the address. */
function wasntMe(warningLink: string | undefined): string {
  if (warningLink === undefined) return 'If this was not you, reset your password now.\n'
  return `This wasn't you? Open this link:\n\n${warningLink}\n\nAfter you confirm, it ends all logins, disconnects all apps, removes all passkeys, turns off automatic top-up and disables your password. It is valid for ${WARNING_LINK_DAYS} days and works once.\n`
}

function write(subject: string, ...paragraphs: string[]): Mail {
  return { lang: 'en', subject, text: paragraphs.join('\n\n') }
}

/** `accountUrl` is the URL of the account page. */
export const mailsEn = {
  verificationCode: (code: string) =>
    write(
      'Confirm your email address',
      'Enter this code to confirm your email address:',
      code,
      `It is valid for ${TICKET_MINUTES} minutes. If this was not you, ignore this message: nothing happens without the code.\n`,
    ),

  resetLink: (url: string) =>
    write(
      'Set a new password for your wallet',
      'Open this link to set a new password for your wallet:',
      url,
      `It is valid for ${RESET_LINK_MINUTES} minutes and works once. If this was not you, ignore this message: your password stays the same.\n`,
    ),

  alreadyRegistered: () =>
    write(
      'You already have a wallet account',
      'Somebody, probably you, tried to sign up with this email address. You already have an account: log in instead, or reset your password there.',
      'If this was not you, you do not need to do anything.\n',
    ),

  passwordReset: (accountUrl: string, warningLink: string | undefined) =>
    write(
      'The password of your wallet was reset',
      `Your wallet account has a new password. You were logged out everywhere else. If you had passkeys, they were removed, and if automatic top-up was on, it was turned off: set them up again at ${accountUrl}#profile.`,
      `Connected apps stay connected and can still take payments from your wallet. At your next login there, they ask for your consent again. To disconnect all apps in one step, log in at ${accountUrl}#apps.`,
      'If this was not you, somebody else can read your emails. Secure your mailbox first.',
      wasntMe(warningLink),
    ),

  passwordChanged: (warningLink: string | undefined) =>
    write(
      'The password of your wallet was changed',
      'Your wallet account has a new password. You were logged out everywhere else.',
      wasntMe(warningLink),
    ),

  /** `name`: what the person calls the passkey. */
  passkeyAdded: (name: string, warningLink: string | undefined) =>
    write(
      'A passkey was added to your wallet',
      `You can now log in to your wallet account with this passkey: ${name}.`,
      wasntMe(warningLink),
    ),

  passkeyRemoved: (name: string, warningLink: string | undefined) =>
    write(
      'A passkey was removed from your wallet',
      `You can no longer log in to your wallet account with this passkey: ${name}. You can still log in with your password.`,
      wasntMe(warningLink),
    ),

  passkeyCopied: (name: string, warningLink: string | undefined) =>
    write(
      'A copy of your passkey was used',
      `Somebody tried to log in to your wallet account with a copy of this passkey: ${name}. We refused the login.`,
      'Remove this passkey in your account, then add a new one on a device that only you use.',
      wasntMe(warningLink),
    ),

  /** `app`: undefined if it was removed in the meantime. */
  appLinked: (app: string | undefined, warningLink: string | undefined) =>
    write(
      'An app was connected to your wallet',
      `${app ?? 'An app'} was connected to your wallet. It can see your balance and charge your wallet.`,
      wasntMe(warningLink),
    ),

  appUnlinked: (app: string, warningLink: string | undefined) =>
    write(
      'An app was disconnected from your wallet',
      `${app} was disconnected from your wallet. It can no longer see your balance or charge your wallet.`,
      wasntMe(warningLink),
    ),

  allAppsUnlinked: (warningLink: string | undefined) =>
    write(
      'All apps were disconnected from your wallet',
      'All apps were disconnected from your wallet. They can no longer see your balance or charge your wallet.',
      wasntMe(warningLink),
    ),

  /** `device`: by `nameDevice`. */
  newLogIn: (device: string, warningLink: string | undefined) =>
    write(
      'New login to your wallet account',
      `Somebody logged in to your wallet account with a browser that you have not used before: ${device}.`,
      wasntMe(warningLink),
    ),

  automaticTopupSuspended: (reason: SuspensionReason, accountUrl: string) => {
    const why = {
      authentication: `Your bank wants you to confirm the payment yourself. Nothing was charged. Add money at ${accountUrl} with this card and confirm it with your bank, or choose another card.`,
      failures: 'Your bank declined the card several times in a row. Nothing was charged.',
      card: 'The card is not saved anymore. Nothing was charged.',
    }
    return write(
      'Automatic top-up of your wallet is suspended',
      `We could not add money to your wallet automatically, so automatic top-up is suspended. ${why[reason]}`,
      `To resume it, check the settings at ${accountUrl}#profile and save them.\n`,
    )
  },

  /** `terms`: as text, from the service. */
  automaticTopupOn: (terms: string, warningLink: string | undefined) =>
    write(
      'Automatic top-up of your wallet is on',
      'Automatic top-up was turned on for your wallet:',
      terms,
      wasntMe(warningLink),
    ),

  /** `accountUrl` is the URL of the account page. */
  spendLimitRaised: (app: string, accountUrl: string, warningLink: string | undefined) =>
    write(
      'A limit of an app was raised or removed',
      `A limit of ${app} was raised or removed, so it can take more from your wallet than before. Your limits are at ${accountUrl}#apps.`,
      wasntMe(warningLink),
    ),

  topupReceipt: ({ amount, paidAt, paymentId }: Receipt, accountUrl: string) =>
    write(
      'Receipt: money was added to your wallet',
      `${amount} was added to your wallet by card.`,
      `Time: ${paidAt}\nPayment: ${paymentId}`,
      `Your history is at ${accountUrl}#history. To stop these receipts, change the setting at ${accountUrl}#profile.\n`,
    ),

  /** `more`: how many further payments there are. */
  largePayments: (payments: readonly ReportedPayment[], more: number, accountUrl: string) =>
    write(
      'Large payment from your wallet',
      'You asked for an email about payments of this size:',
      ...payments.map(
        ({ app, amount, paidAt, description }) =>
          `${amount} to ${app}\nTime: ${paidAt}${description ? `\nDescription: ${description}` : ''}`,
      ),
      ...(more > 0 ? [`Number of further payments: ${more}`] : []),
      `All payments are at ${accountUrl}#history. If you do not recognize a payment, disconnect the app at ${accountUrl}#apps. To change or stop these emails, open ${accountUrl}#profile.\n`,
    ),

  lowBalance: (
    { balance, threshold }: { balance: string; threshold: string },
    accountUrl: string,
  ) =>
    write(
      'The balance of your wallet is low',
      `Your balance has fallen below ${threshold}. It is now ${balance}.`,
      `You can add money at ${accountUrl}. To change or stop these emails, open ${accountUrl}#profile.\n`,
    ),

  /** `undoLink`: undefined if this address was never verified, so that it may be somebody else's. */
  emailChanged: (undoLink: string | undefined) =>
    write(
      'The email address of your wallet was changed',
      'Your wallet account has a new email address. You can no longer log in with this one.',
      undoLink === undefined
        ? 'If this was not you, contact support immediately.\n'
        : `If this was not you, open this link:\n\n${undoLink}\n\nIt restores this address, ends all logins and sets a new password. It is valid for ${UNDO_LINK_DAYS} days and works once.\n`,
    ),

  /** To the address that is no longer the one of the account. */
  emailRestored: (accountUrl: string) =>
    write(
      'The change of your email address was undone',
      'The previous email address of your wallet account was restored with the link that was sent to it. You can no longer log in with this one, and all logins were ended.',
      `If this was your account, log in at ${accountUrl} with the previous address. If you no longer have access to that mailbox, contact support.\n`,
    ),
}

export type PersonMails = typeof mailsEn
