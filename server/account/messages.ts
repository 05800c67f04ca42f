/** What the owner of an account gets by e-mail when it was changed. */
import type { Mail } from '../mail/messages.ts'

export function emailChanged(): Mail {
  return {
    subject: 'The e-mail address of your wallet was changed',
    text: 'Your wallet account has a new e-mail address, and this one no longer opens it.\n\nIf this was not you, contact support at once.\n',
  }
}

export function passwordChanged(): Mail {
  return {
    subject: 'The password of your wallet was changed',
    text: 'Your wallet account has a new password. You were logged out everywhere else.\n\nIf this was not you, reset your password now.\n',
  }
}
