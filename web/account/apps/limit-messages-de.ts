import type { LimitMessages } from './limit-messages-en.ts'

export const limitsDe: LimitMessages = {
  change: 'Limits',
  changeNamed: (app) => `Limits für ${app}`,
  title: (app) => `Limits für ${app}`,
  lead: 'Eine Zahlung über einem Limit wird abgelehnt. Lassen Sie ein Feld leer, wenn es kein Limit geben soll. Nur Sie können das ändern, nicht die App.',
  single: 'Größte einzelne Zahlung',
  day: 'Summe pro Tag',
  week: 'Summe pro Woche',
  month: 'Summe pro Monat',
  lastDay: 'Letzter Tag',
  lastDayHint: 'Nach diesem Tag kann die App nichts mehr abbuchen.',
  zone: (zone) =>
    `Tage, Wochen und Monate richten sich nach Ihrer Zeitzone ${zone}. Wochen beginnen am Montag. Was die App am laufenden Tag, in der Woche und im Monat schon abgebucht hat, zählt mit.`,
  amountError: 'Geben Sie einen Betrag wie 20 oder 19,99 ein, oder lassen Sie das Feld leer.',
  dayError: 'Wählen Sie einen Tag von 2000 bis 2999, oder lassen Sie das Feld leer.',
  confirm:
    'Die App könnte mehr abbuchen als bisher. Bestätigen Sie das mit Ihrem Passwort oder einem Passkey.',
  confirmByPasskey: 'Mit einem Passkey bestätigen',
  saved: (app) => `Die Limits für ${app} sind gespeichert.`,
  removed: (app) => `${app} hat keine Limits.`,
  shownSingle: (most) => `Höchstens ${most} auf einmal`,
  shownDay: (spent, most) => `Heute ${spent} von ${most} verwendet`,
  shownWeek: (spent, most) => `Diese Woche ${spent} von ${most} verwendet`,
  shownMonth: (spent, most) => `Diesen Monat ${spent} von ${most} verwendet`,
  shownLastDay: (day) => `Bis ${day}`,
}
