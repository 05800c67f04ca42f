/** The part of messages.ts about passkeys and the operator's own sign-in settings. */
import type { ErrorCode } from '@coffer/contract/errors'

export const selfErrors: Partial<Record<ErrorCode, string>> = {
  PASSKEY_INVALID:
    'This passkey was not accepted: it timed out or was removed. Try again, or log in another way.',
  PASSKEY_LIMIT: 'You have reached the maximum number of passkeys. Remove one first.',
  PASSWORD_REFUSED:
    'Choose another password. This one is too easy to guess, part of your email, or your current password.',
}

export const selfWords = {
  self: {
    title: 'Your sign-in',
    about: (email: string, role: string) => `${email} · ${role}`,
    card: 'Your sign-in:',
  },
  firstPassword: {
    text: 'You are using your initial password.',
    link: 'Choose your own password',
  },
  ownPassword: {
    title: 'Password',
    lead: 'Changing your password logs you out on all other devices.',
    first:
      'You are using your initial password, and the operator who added you knows it. Choose your own.',
    label: 'New password',
    hint: (min: number) =>
      `At least ${min} characters. A few words that only you would combine work well.`,
    passwordTooShort: (min: number) => `Use at least ${min} characters.`,
    submit: 'Change password',
    done: 'Your password was changed. You are logged out on all other devices.',
  },
  passkeys: {
    title: 'Passkeys',
    lead: 'A passkey logs you in with your fingerprint, face or PIN instead of password and code. It does not work on fake copies of this page.',
    columns: { name: 'Name', created: 'Added', lastUsed: 'Last used', actions: 'Actions' },
    add: 'Add a passkey',
    emptyTitle: 'No passkeys yet',
    empty: 'Add one for this device, your phone or a security key.',
    full: 'You have reached the maximum number of passkeys. Remove one to add another.',
    elsewhere: (domain: string) => `Passkeys work at ${domain}. Open this page there to add one.`,
    nowhere:
      'Passkeys need a domain name and https. Set ADMIN_URL or PUBLIC_URL of this service to an https URL with a domain name.',
    notHere: 'This browser does not support passkeys. Use a newer browser to add one.',
    remove: 'Remove',
    removeNamed: (name: string) => `Remove the passkey ${name}`,
    added: (name: string) => `Passkey added: ${name}.`,
    removed: (name: string) => `Passkey removed: ${name}.`,
  },
  addPasskey: {
    title: 'Add a passkey',
    text: 'Your browser will ask you where to save the passkey and to unlock it.',
    name: 'Name',
    hint: 'A name that you will recognize, such as “Work laptop” or “Phone”.',
    missing: 'Enter a name.',
    submit: 'Continue',
  },
  removePasskey: {
    title: (name: string) => `Remove ${name}?`,
    text: 'You can no longer log in with it. You can also delete it on the device.',
    last: 'This is your only passkey. Without it, you log in with password and code.',
  },
  recoveryCodes: {
    title: 'Recovery codes',
    left: (count: number) =>
      count === 0
        ? 'None left. Renew them: without a recovery code, you cannot log in if you lose your authenticator.'
        : `${count} of 10 left. If you lose your authenticator, you can log in with each of them once.`,
    renew: 'Renew',
    askTitle: 'Renew your recovery codes?',
    ask: 'You get ten new codes. The old codes stop working immediately.',
    submit: 'Renew',
    stored: 'I have saved the codes',
  },
  logIns: {
    title: 'Active logins',
    lead: 'A login expires after 15 minutes without activity, and after 8 hours in any case.',
    columns: {
      device: 'Device',
      address: 'Address',
      since: 'Since',
      lastSeen: 'Last used',
      actions: 'Actions',
    },
    this: 'This device',
    end: 'Log out',
    endNamed: (device: string, address: string) => `Log out ${device}, ${address}`,
    endOthers: 'Log out all other devices',
    ended: (device: string) => `${device} is logged out.`,
    endedOthers: 'You are logged out on all other devices.',
  },
  passkey: {
    logIn: 'Log in with a passkey',
    or: 'or',
    confirm: 'Confirm with a passkey',
    confirmText: 'This action requires your passkey. You will not be asked again for five minutes.',
    usePassword: 'Use password and code instead',
    usePasskey: 'Use a passkey instead',
    cancelled:
      'No passkey was used: you canceled, it timed out, or no passkey matches. Try again, or use your password and a code.',
    notCreated: 'No passkey was created: you canceled or it timed out. Try again.',
    known: 'One of your passkeys is already saved there. Choose another place for this one.',
    unable: 'This device cannot save passkeys that require unlocking. Choose another place.',
    failed: 'The browser could not use a passkey here. Use your password and a code.',
  },
}
