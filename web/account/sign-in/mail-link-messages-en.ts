/** The pages behind the links in emails. */
export const mailLinksEn = {
  reset: {
    title: 'Choose a new password',
    lead: 'You will be logged out everywhere else, passkeys are removed, and automatic top-up is turned off.',
    submit: 'Save and log in',
    invalid: 'This link has expired or was already used. Request a new one.',
    again: 'Request a new link',
  },
  undo: {
    title: 'Restore your email address',
    lead: 'Choose a new password. Then you log in with this address again, you are logged out everywhere else, passkeys are removed, and automatic top-up is turned off.',
    submit: 'Restore and log in',
    invalid: 'This link has expired or was already used. If you cannot log in, contact support.',
    taken:
      'Another account now uses this address, so it cannot be restored. Delete that account first, then open this link again.',
    again: 'Reset your password instead',
  },
  secure: {
    title: "This wasn't you?",
    text: 'If you continue, all logins end, all apps are disconnected, automatic top-up is turned off, and your passkeys and your password stop working. Your money and your history stay. Then you set a new password by email.',
    submit: 'Secure my account',
    onlyPassword: 'Only set a new password',
    invalid:
      'This link has expired or was already used. If you think that somebody else uses your account, set a new password.',
    doneTitle: 'Your account is secured',
    done: 'All logins have ended, and no app can charge your wallet. Set a new password to use your account again.',
    newPassword: 'Set a new password',
  },
}

export type MailLinkMessages = typeof mailLinksEn
