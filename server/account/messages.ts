/** Emails to the owner of an account after a change. */
import type { Mail } from '../mail/messages.ts'

export function emailChanged(): Mail {
  return {
    subject: 'The email address of your wallet was changed',
    text: 'Your wallet account has a new email address. You can no longer log in with this one.\n\nIf this was not you, contact support immediately.\n',
  }
}

export function passwordChanged(): Mail {
  return {
    subject: 'The password of your wallet was changed',
    text: 'Your wallet account has a new password. You were logged out everywhere else.\n\nIf this was not you, reset your password now.\n',
  }
}
