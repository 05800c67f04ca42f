/** Emails to the owner of an account after a change. */
import { UNDO_LINK_DAYS } from '@coffer/contract/limits'
import type { Mail } from '../mail/messages.ts'

/** `undoLink`: undefined if this address was never verified, so that it may be somebody else's. */
export function emailChanged(undoLink: string | undefined): Mail {
  const undo =
    undoLink === undefined
      ? 'If this was not you, contact support immediately.'
      : `If this was not you, open this link:\n\n${undoLink}\n\nIt restores this address, ends all logins and sets a new password. It is valid for ${UNDO_LINK_DAYS} days and works once.`
  return {
    subject: 'The email address of your wallet was changed',
    text: `Your wallet account has a new email address. You can no longer log in with this one.\n\n${undo}\n`,
  }
}

/** To the address that is no longer the one of the account. `account`: the URL of the account page. */
export function emailRestored(account: string): Mail {
  return {
    subject: 'The change of your email address was undone',
    text: `The previous email address of your wallet account was restored with the link that was sent to it. You can no longer log in with this one, and all logins were ended.\n\nIf this was your account, log in at ${account} with the previous address. If you no longer have access to that mailbox, contact support.\n`,
  }
}
