export const passkeysEn = {
  title: 'Passkeys',
  hint: 'Log in with your fingerprint, face or PIN instead of your password. A passkey does not work on fake copies of this page. Your password still works.',
  emptyTitle: 'No passkeys yet',
  empty: 'Add one to log in without typing your password.',
  added: (date: string) => `Added: ${date}`,
  lastUsed: (date: string) => `Last used: ${date}`,
  neverUsed: 'Not used yet',
  copied: (date: string) =>
    `Somebody tried to use a copy of this passkey (${date}). We refused it. Remove this passkey and add a new one.`,
  full: 'You have reached the maximum number of passkeys. Remove one to add another.',
  notHere: 'This browser does not support passkeys. Use a newer browser to add one.',
  add: 'Add a passkey',
  addText:
    'Enter your password. Then your browser asks you where to save the passkey, and to unlock it.',
  name: 'Name',
  nameHint: 'Where you save it, such as “My phone”.',
  nameMissing: 'Enter a name for this passkey.',
  nameRefused: 'Use at most 80 characters.',
  continue: 'Continue',
  wasAdded: (name: string) => `Passkey added: ${name}.`,
  rename: 'Rename',
  renameNamed: (name: string) => `Rename the passkey ${name}`,
  wasRenamed: (name: string) => `Passkey renamed: ${name}.`,
  remove: 'Remove',
  removeNamed: (name: string) => `Remove the passkey ${name}`,
  removeTitle: (name: string) => `Remove the passkey ${name}?`,
  removeText:
    'You can no longer log in with it. Delete it on your device too, so that your browser does not offer it anymore.',
  wasRemoved: (name: string) => `Passkey removed: ${name}.`,
}

export type PasskeySettingMessages = typeof passkeysEn
