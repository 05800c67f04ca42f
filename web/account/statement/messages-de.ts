/** The part of messages-de.ts about the statement of a month. */
import type { statementEn } from './messages-en.ts'

export const statementDe: typeof statementEn = {
  title: 'Auszug',
  open: 'Auszug',
  back: 'Verlauf',
  month: 'Monat',
  print: 'Drucken oder als PDF speichern',
  of: (month) => `Auszug für ${month}`,
  holder: 'Inhaber',
  period: 'Zeitraum',
  days: (first, last) => `${first} bis ${last}`,
  zone: (zone) => `Zeitzone: ${zone}`,
  opening: 'Anfangsbestand',
  totalIn: 'Eingänge',
  totalOut: 'Ausgänge',
  closing: 'Endbestand',
  soFar: 'Bisheriger Stand',
  date: 'Datum',
  details: 'Vorgang',
  amount: 'Betrag',
  balance: 'Guthaben',
  none: 'Keine Buchungen in diesem Monat.',
  unavailable:
    'Für diesen Monat gibt es keinen Auszug. Sind seine Buchungen archiviert, schickt Ihnen der Support auf Anfrage eine Kopie. Sind es zu viele, laden Sie die CSV-Datei herunter.',
  failed: 'Der Auszug konnte nicht geladen werden.',
}
