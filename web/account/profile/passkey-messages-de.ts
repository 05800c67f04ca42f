import type { PasskeySettingMessages } from './passkey-messages-en.ts'

export const passkeysDe: PasskeySettingMessages = {
  title: 'Passkeys',
  hint: 'Melden Sie sich mit Fingerabdruck, Gesicht oder PIN statt mit Ihrem Passwort an. Ein Passkey funktioniert nicht auf gefälschten Kopien dieser Seite. Ihr Passwort gilt weiterhin.',
  emptyTitle: 'Noch keine Passkeys',
  empty: 'Fügen Sie einen hinzu, um sich ohne Passwort anzumelden.',
  added: (date) => `Hinzugefügt: ${date}`,
  lastUsed: (date) => `Zuletzt verwendet: ${date}`,
  neverUsed: 'Noch nicht verwendet',
  copied: (date) =>
    `Jemand hat versucht, eine Kopie dieses Passkeys zu verwenden (${date}). Wir haben das abgelehnt. Entfernen Sie diesen Passkey und fügen Sie einen neuen hinzu.`,
  full: 'Mehr Passkeys sind nicht möglich. Entfernen Sie einen, um einen anderen hinzuzufügen.',
  notHere:
    'Dieser Browser unterstützt keine Passkeys. Verwenden Sie einen neueren Browser, um einen hinzuzufügen.',
  add: 'Passkey hinzufügen',
  addText:
    'Geben Sie Ihr Passwort ein. Danach fragt Ihr Browser, wo der Passkey gespeichert werden soll, und bittet Sie, ihn zu entsperren.',
  name: 'Name',
  nameHint: 'Wo Sie ihn speichern, zum Beispiel „Mein Telefon“.',
  nameMissing: 'Geben Sie einen Namen für diesen Passkey ein.',
  nameRefused: 'Verwenden Sie höchstens 80 Zeichen.',
  continue: 'Weiter',
  wasAdded: (name) => `Passkey hinzugefügt: ${name}.`,
  rename: 'Umbenennen',
  renameNamed: (name) => `Passkey ${name} umbenennen`,
  wasRenamed: (name) => `Passkey umbenannt: ${name}.`,
  remove: 'Entfernen',
  removeNamed: (name) => `Passkey ${name} entfernen`,
  removeTitle: (name) => `Passkey ${name} entfernen?`,
  removeText:
    'Sie können sich nicht mehr damit anmelden. Löschen Sie ihn auch auf Ihrem Gerät, damit Ihr Browser ihn nicht mehr anbietet.',
  wasRemoved: (name) => `Passkey entfernt: ${name}.`,
}
