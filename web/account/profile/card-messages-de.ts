import { AUTOMATIC_TERMS } from '@coffer/contract/account/automatic-terms'
import type { CardMessages } from './card-messages-en.ts'

export const cardsDe: CardMessages = {
  title: 'Gespeicherte Karten',
  hint: 'Der Zahlungsanbieter speichert Ihre Karten. Nur Sie können damit bezahlen: hier, oder in einer App nach Eingabe Ihres Passworts. Apps können sie nicht verwenden.',
  emptyTitle: 'Keine gespeicherten Karten',
  empty:
    'Um eine Karte zu speichern, wählen Sie beim Aufladen „Diese Karte für das nächste Mal speichern“.',
  unread:
    'Ihre Karten können im Moment nicht angezeigt werden. Versuchen Sie es später noch einmal.',
  named: (brand, last4) => `${brand} mit den Endziffern ${last4}`,
  expires: (month) => `Gültig bis ${month}`,
  expired: (month) => `Abgelaufen ${month}`,
  isDefault: 'Standard',
  makeDefault: 'Als Standard',
  makeDefaultNamed: (card) => `${card} als Standardkarte verwenden`,
  wasMadeDefault: (card) => `${card} ist jetzt die Standardkarte.`,
  remove: 'Entfernen',
  removeNamed: (card) => `${card} entfernen`,
  removeTitle: (card) => `${card} entfernen?`,
  removeText:
    'Niemand kann mehr damit bezahlen. Wenn die automatische Aufladung diese Karte verwendet, wird sie ausgesetzt.',
  wasRemoved: (card) => `Karte entfernt: ${card}.`,
  autoTitle: 'Automatische Aufladung',
  autoHint:
    'Lädt mit einer gespeicherten Karte auf, wenn Ihr Guthaben niedrig ist. Sie ist aus, solange Sie sie nicht einrichten.',
  autoOff: 'Die automatische Aufladung ist aus.',
  autoNeedsCard:
    'Speichern Sie dafür zuerst eine Karte: Wählen Sie beim Aufladen „Diese Karte für das nächste Mal speichern“.',
  autoSetUp: 'Einrichten',
  autoChange: 'Ändern',
  autoEnd: 'Ausschalten',
  autoEnded: 'Die automatische Aufladung ist jetzt aus.',
  autoSaved: 'Die automatische Aufladung ist jetzt an.',
  autoTerms: AUTOMATIC_TERMS.de,
  autoAgree: 'Ich stimme zu, bis ich es ausschalte:',
  threshold: 'Wenn das Guthaben unter diesem Betrag liegt',
  amount: 'Aufladen um',
  monthMax: 'Höchstens pro Monat',
  card: 'Karte',
  amountError: (min, max) => `Geben Sie einen Betrag von ${min} bis ${max} ein.`,
  thresholdError: 'Geben Sie einen Betrag wie 10 ein.',
  monthMaxError: 'Geben Sie mindestens den Betrag einer Aufladung ein.',
  suspended: {
    authentication:
      'Ausgesetzt: Ihre Bank möchte, dass Sie eine Zahlung selbst bestätigen. Laden Sie einmal mit dieser Karte auf oder wählen Sie eine andere. Speichern Sie dann diese Einstellungen noch einmal.',
    failures:
      'Ausgesetzt: Die Karte wurde mehrmals abgelehnt. Wählen Sie eine andere Karte und speichern Sie diese Einstellungen noch einmal.',
    card: 'Ausgesetzt: Die Karte wurde entfernt. Wählen Sie eine andere Karte und speichern Sie diese Einstellungen noch einmal.',
  },
}
