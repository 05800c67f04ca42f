/**
 * The emails to people and to the contacts of client apps. No subject contains a code or a link: locked screens and
 * logs of mail servers show subjects.
 */
import { RESET_LINK_MINUTES, SECRET_LINK_HOURS, TICKET_MINUTES } from '@coffer/contract/limits'

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

export function appChanged({ name, clientId }: NamedApp, changes: readonly string[]): Mail {
  return {
    subject: `${name}: a setting of your client app changed`,
    text: `An operator changed the client app ${name} (${clientId}):\n\n${changes.join('\n')}\n\nIf you did not expect this, contact the operator of the wallet service immediately.\n`,
  }
}

export function secretLink({ name, clientId }: NamedApp, link: string): Mail {
  return {
    subject: `${name}: collect your new client secret`,
    text: `An operator ended the secret of the client app ${name} (${clientId}), so its calls are refused now. This link shows the new secret once:\n\n${link}\n\nIt works for ${SECRET_LINK_HOURS} hours. If somebody else has used it, contact the operator of the wallet service immediately.\n`,
  }
}

/** `account`: the URL of the account page. */
export function passwordReset(account: string): Mail {
  return {
    subject: 'The password of your wallet was reset',
    text: `Your wallet account has a new password. You were logged out everywhere else. Connected apps ask for your consent again at the next login.\n\nTo disconnect all apps in one step, log in at ${account}#apps.\n\nIf this was not you, somebody else can read your emails. Secure your mailbox first, then reset your password.\n`,
  }
}

export function appLinked(app: string, account: string): Mail {
  return {
    subject: 'An app was connected to your wallet',
    text: `${app} was connected to your wallet. It can see your balance and charge your wallet.\n\nIf this was not you, reset your password, then disconnect the app at ${account}#apps.\n`,
  }
}

export function newLogIn(device: string, account: string): Mail {
  return {
    subject: 'New login to your wallet account',
    text: `Somebody logged in to your wallet account with a browser that you have not used before: ${device}.\n\nIf this was not you, reset your password at ${account}.\n`,
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
