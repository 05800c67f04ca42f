/** The part of messages.ts about passkeys and one's own sign-in. */
import type { ErrorCode } from '@coffer/contract/errors'

export const selfErrors: Partial<Record<ErrorCode, string>> = {
  PASSKEY_INVALID:
    'This passkey was not accepted: it took too long, or it was removed. Try again, or choose another way.',
  PASSKEY_LIMIT: 'You have as many passkeys as you can have. Remove one first.',
  PASSWORD_REFUSED:
    'Choose another one: it is too easy to guess, part of your e-mail, or the one you have.',
}

export const selfWords = {
  self: {
    title: 'Your sign-in',
    about: (email: string, role: string) => `${email} · ${role}`,
    card: 'Your sign-in:',
  },
  firstPassword: {
    text: 'You still have the first password, and whoever handed it to you knows it.',
    link: 'Choose your own',
  },
  ownPassword: {
    title: 'Password',
    lead: 'A new one ends your other log-ins.',
    first: 'You still have the first password, and whoever handed it to you knows it.',
    label: 'New password',
    hint: (min: number) =>
      `At least ${min} characters. A few words that belong to you alone do well.`,
    tooShort: (min: number) => `Use at least ${min} characters.`,
    submit: 'Change password',
    done: 'Your password is changed, and your other log-ins are ended.',
  },
  passkeys: {
    title: 'Passkeys',
    lead: 'A passkey logs you in with fingerprint, face or PIN, without password and code, and works on no imitation of this page.',
    columns: { name: 'Name', created: 'Added', lastUsed: 'Last used', actions: 'Actions' },
    add: 'Add a passkey',
    emptyTitle: 'No passkey yet',
    empty: 'Add one for this device, your telephone or a security key.',
    full: 'You have as many passkeys as you can have. Remove one to add another.',
    elsewhere: (domain: string) => `Passkeys work at ${domain}. Open this page there to add one.`,
    nowhere:
      'Passkeys need a domain name and https. They work once PUBLIC_URL of this service has both.',
    notHere: 'This browser has no passkeys. Use a newer one to add one.',
    remove: 'Remove',
    removeNamed: (name: string) => `Remove the passkey ${name}`,
    added: (name: string) => `${name} can log you in from now on.`,
    removed: (name: string) => `${name} logs nobody in any more.`,
  },
  addPasskey: {
    title: 'Add a passkey',
    text: 'Your browser then asks where to keep it, and to unlock it.',
    name: 'Name',
    hint: 'By which you will know it: “Work laptop”, “Telephone”.',
    missing: 'Enter a name.',
    submit: 'Go on',
  },
  removePasskey: {
    title: (name: string) => `Remove ${name}?`,
    text: 'It cannot log you in any more. You can delete it on the device as well.',
    last: 'It is your only one: you then log in with password and code.',
  },
  recoveryCodes: {
    title: 'Recovery codes',
    left: (count: number) =>
      count === 0
        ? 'None is left. Renew them: without one, a lost authenticator locks you out.'
        : `${count} of 10 ${count === 1 ? 'is' : 'are'} left. Each lets you in once if you lose your authenticator.`,
    renew: 'Renew',
    askTitle: 'Renew your recovery codes?',
    ask: 'You get ten new ones. The old ones stop working at once.',
    submit: 'Renew',
    stored: 'I have stored them',
  },
  logIns: {
    title: 'Where you are logged in',
    lead: 'A log-in ends after 15 minutes without use, and after 8 hours in any case.',
    columns: {
      device: 'Device',
      address: 'Address',
      since: 'Since',
      lastSeen: 'Last used',
      actions: 'Actions',
    },
    this: 'This one',
    end: 'Log out',
    endNamed: (device: string, address: string) => `Log out ${device}, ${address}`,
    endOthers: 'Log out everywhere else',
    ended: (device: string) => `${device} is logged out.`,
    endedOthers: 'You are logged out everywhere else.',
  },
  passkey: {
    logIn: 'Log in with a passkey',
    or: 'or',
    confirm: 'Confirm with a passkey',
    confirmText: 'This action needs your passkey. You are then not asked again for five minutes.',
    usePassword: 'Use password and code',
    usePasskey: 'Use a passkey',
    cancelled:
      'No passkey was used: it was cancelled, took too long, or none fits. Try again, or use your password and a code.',
    notMade: 'No passkey was made: it was cancelled or took too long. Try again.',
    known: 'One of your passkeys is kept there already. Choose another place for this one.',
    unable: 'What you chose cannot keep passkeys that are unlocked. Choose another place.',
    failed: 'The browser could not use a passkey here. Use your password and a code.',
  },
}
