/**
 * The emails to people and to the contacts of client apps. No subject contains a code or a link: locked screens and
 * logs of mail servers show subjects.
 */
import {
  RESET_LINK_MINUTES,
  SECRET_LINK_HOURS,
  TICKET_MINUTES,
  WARNING_LINK_DAYS,
} from '@coffer/contract/limits'

export interface Mail {
  subject: string
  text: string
}

const VALID = `It is valid for ${TICKET_MINUTES} minutes.`
const NOT_YOU = 'If this was not you, ignore this message: nothing happens without the code.'

export function verificationCode(code: string): Mail {
  return {
    subject: 'Confirm your email address',
    text: `Enter this code to confirm your email address:\n\n${code}\n\n${VALID} ${NOT_YOU}\n`,
  }
}

export function resetLink(url: string): Mail {
  return {
    subject: 'Set a new password for your wallet',
    text: `Open this link to set a new password for your wallet:\n\n${url}\n\nIt is valid for ${RESET_LINK_MINUTES} minutes and works once. If this was not you, ignore this message: your password stays the same.\n`,
  }
}

export function alreadyRegistered(): Mail {
  return {
    subject: 'You already have a wallet account',
    text: 'Somebody, probably you, tried to sign up with this email address. You already have an account: log in instead, or reset your password there.\n\nIf this was not you, you do not need to do anything.\n',
  }
}

interface NamedApp {
  name: string
  clientId: string
}

export function appChanged(
  { name, clientId }: NamedApp,
  changes: readonly string[],
  by = 'An operator',
): Mail {
  return {
    subject: `${name}: a setting of your client app changed`,
    text: `${by} changed the client app ${name} (${clientId}):\n\n${changes.join('\n')}\n\nIf you did not expect this, contact the operator of the wallet service immediately.\n`,
  }
}

export function secretLink({ name, clientId }: NamedApp, link: string): Mail {
  return {
    subject: `${name}: collect your new client secret`,
    text: `An operator ended the secret of the client app ${name} (${clientId}), so its calls are refused now. This link shows the new secret once:\n\n${link}\n\nIt works for ${SECRET_LINK_HOURS} hours. If somebody else has used it, contact the operator of the wallet service immediately.\n`,
  }
}

/** The last sentences of an email about an account. Without a link, nobody verified the address. */
function wasntMe(warningLink: string | undefined): string {
  if (warningLink === undefined) return 'If this was not you, reset your password now.\n'
  return `This wasn't you? Open this link:\n\n${warningLink}\n\nIt asks you first, then ends all logins, disconnects all apps, removes all passkeys and disables your password. It is valid for ${WARNING_LINK_DAYS} days and works once.\n`
}

/** `account`: the URL of the account page. */
export function passwordReset(account: string, warningLink: string | undefined): Mail {
  return {
    subject: 'The password of your wallet was reset',
    text: `Your wallet account has a new password. You were logged out everywhere else. Connected apps ask for your consent again at the next login. If you had passkeys, they were removed: add them again at ${account}#profile.\n\nTo disconnect all apps in one step, log in at ${account}#apps.\n\nIf this was not you, somebody else can read your emails. Secure your mailbox first.\n\n${wasntMe(warningLink)}`,
  }
}

export function passwordChanged(warningLink: string | undefined): Mail {
  return {
    subject: 'The password of your wallet was changed',
    text: `Your wallet account has a new password. You were logged out everywhere else.\n\n${wasntMe(warningLink)}`,
  }
}

/** `name`: what the person calls the passkey. */
export function passkeyAdded(name: string, warningLink: string | undefined): Mail {
  return {
    subject: 'A passkey was added to your wallet',
    text: `You can now log in to your wallet account with this passkey: ${name}.\n\n${wasntMe(warningLink)}`,
  }
}

export function passkeyRemoved(name: string, warningLink: string | undefined): Mail {
  return {
    subject: 'A passkey was removed from your wallet',
    text: `This passkey no longer logs in to your wallet account: ${name}. You can still log in with your password.\n\n${wasntMe(warningLink)}`,
  }
}

export function passkeyCopied(name: string, warningLink: string | undefined): Mail {
  return {
    subject: 'A copy of your passkey was used',
    text: `Somebody tried to log in to your wallet account with a copy of this passkey: ${name}. We refused the login.\n\nRemove this passkey in your account, then add a new one on a device that only you use.\n\n${wasntMe(warningLink)}`,
  }
}

export function appLinked(app: string, warningLink: string | undefined): Mail {
  return {
    subject: 'An app was connected to your wallet',
    text: `${app} was connected to your wallet. It can see your balance and charge your wallet.\n\n${wasntMe(warningLink)}`,
  }
}

/** `app`: undefined if all apps were disconnected. */
export function appUnlinked(app: string | undefined, warningLink: string | undefined): Mail {
  const what =
    app === undefined
      ? 'All apps were disconnected from your wallet. They can no longer see your balance or charge your wallet.'
      : `${app} was disconnected from your wallet. It can no longer see your balance or charge your wallet.`
  return {
    subject:
      app === undefined
        ? 'All apps were disconnected from your wallet'
        : 'An app was disconnected from your wallet',
    text: `${what}\n\n${wasntMe(warningLink)}`,
  }
}

export function newLogIn(device: string, warningLink: string | undefined): Mail {
  return {
    subject: 'New login to your wallet account',
    text: `Somebody logged in to your wallet account with a browser that you have not used before: ${device}.\n\n${wasntMe(warningLink)}`,
  }
}

/** `account`: the URL of the account page. */
export function topupReceipt(
  { amount, paidAt, paymentId }: { amount: string; paidAt: string; paymentId: string },
  account: string,
): Mail {
  return {
    subject: 'Receipt: money was added to your wallet',
    text: `${amount} was added to your wallet by card.\n\nTime: ${paidAt}\nPayment: ${paymentId}\n\nYour history is at ${account}#history. To stop these receipts, change the setting at ${account}#profile.\n`,
  }
}

/** `account`: the URL of the account page. */
export function automaticTopupPaused(
  reason: 'authentication' | 'failures' | 'card',
  account: string,
): Mail {
  const why = {
    authentication: `Your bank wants you to confirm the payment yourself. Nothing was charged. Add money at ${account} with this card and confirm it with your bank, or choose another card.`,
    failures: 'Your bank declined the card several times in a row. Nothing was charged.',
    card: 'The card is not saved anymore. Nothing was charged.',
  }
  return {
    subject: 'Automatic top-up of your wallet is paused',
    text: `We could not add money to your wallet automatically, so automatic top-up is paused. ${why[reason]}\n\nTo use it again, check the settings at ${account}#profile and save them.\n`,
  }
}

/** `terms`: the text that the person agreed to. */
export function automaticTopupOn(terms: string, warningLink: string | undefined): Mail {
  return {
    subject: 'Automatic top-up of your wallet is on',
    text: `Automatic top-up was switched on for your wallet:\n\n${terms}\n\n${wasntMe(warningLink)}`,
  }
}

export function debitAlert(
  { name, clientId }: NamedApp,
  { amount, hour, isPaused }: { amount: string; hour: string; isPaused: boolean },
): Mail {
  const state = isPaused
    ? 'Its debits and credits are paused now. An operator resumes them at /admin/client-apps.'
    : 'Nothing is paused. An operator can pause the app at /admin/client-apps.'
  return {
    subject: `${name}: unusually many debits`,
    text: `The client app ${name} (${clientId}) debited ${amount} in the hour that began at ${hour}, more than the amount for an alert.\n\n${state}\n\nIf you did not expect this, the client secret may have leaked. Replace it, and look at the latest debits.\n`,
  }
}

/** `reason`: why the service stopped sending. */
export function webhookDisabled({
  name,
  clientId,
  url,
  reason,
}: NamedApp & { url: string; reason: string }): Mail {
  const why =
    reason === 'gone'
      ? 'Its receiver responded with the status 410, which means that it wants no more events.'
      : 'Every delivery has failed for five days.'
  return {
    subject: `${name}: a webhook was disabled`,
    text: `The wallet service no longer sends events of the client app ${name} (${clientId}) to this webhook:\n\n${url}\n\n${why}\n\nRepair the receiver, then ask the operator of the wallet service to switch the webhook on and to send the missed events again. They are also in the feed of events for 30 days.\n`,
  }
}
