import type { sharedErrorsEn } from './error-messages-en.ts'
import type { SharedMessages } from './messages-en.ts'

function countSeconds(seconds: number): string {
  if (seconds > 120) return `${Math.ceil(seconds / 60)} Minuten`
  return seconds === 1 ? '1 Sekunde' : `${seconds} Sekunden`
}

export const sharedErrorsDe: typeof sharedErrorsEn = {
  LOGIN_FAILED: 'E-Mail oder Passwort ist falsch. Prüfen Sie beides und versuchen Sie es erneut.',
  CODE_INVALID:
    'Der Code ist falsch oder abgelaufen. Prüfen Sie ihn oder fordern Sie einen neuen an.',
  PASSWORD_REFUSED:
    'Dieses Passwort ist zu leicht zu erraten. Wählen Sie ein längeres, das nicht häufig verwendet wird und nicht den Teil Ihrer E-Mail-Adresse vor dem @ enthält.',
  INVALID_REQUEST:
    'Eine Angabe in diesem Formular ist ungültig. Prüfen Sie Ihre Angaben und versuchen Sie es erneut.',
  ORIGIN_NOT_ALLOWED:
    'Diese Seite darf das nicht. Laden Sie sie neu und versuchen Sie es noch einmal.',
  PAYLOAD_TOO_LARGE: 'Ihr Text ist zu lang. Kürzen Sie ihn und versuchen Sie es erneut.',
}

export const sharedDe: SharedMessages = {
  lang: 'de',
  testMode: 'Testmodus. Es fließt kein echtes Geld.',
  fields: {
    firstName: 'Vorname',
    lastName: 'Nachname',
    email: 'E-Mail',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    code: 'Code',
    showPassword: 'Passwort anzeigen',
  },
  passwordHint: (min) => `Mindestens ${min} Zeichen.`,
  passwordMissing: (left) => `Noch ${left} Zeichen.`,
  passwordLongEnough: 'Lang genug.',
  passwordTooShort: (min) => `Verwenden Sie mindestens ${min} Zeichen.`,
  fieldErrors: {
    firstName: 'Geben Sie Ihren Vornamen ein.',
    lastName: 'Geben Sie Ihren Nachnamen ein.',
    email: 'Geben Sie eine E-Mail-Adresse wie name@example.com ein.',
    password: 'Geben Sie Ihr Passwort ein.',
    code: 'Geben Sie die 6 Ziffern aus der E-Mail ein.',
  },
  refused: {
    firstName: 'Verwenden Sie höchstens 80 Zeichen.',
    lastName: 'Verwenden Sie höchstens 80 Zeichen.',
    password: 'Verwenden Sie höchstens 128 Zeichen.',
  },
  forgot: {
    title: 'Passwort zurücksetzen',
    lead: 'Geben Sie die E-Mail-Adresse Ihres Kontos ein. Wir senden Ihnen einen Link.',
    submit: 'Link senden',
  },
  linkSent:
    'Falls dieses Konto existiert, haben wir Ihnen einen Link gesendet. Legen Sie dort ein neues Passwort fest und melden Sie sich dann an.',
  resend: {
    submit: 'Neuen Code senden',
    sent: 'Wir haben einen neuen Code gesendet. Ältere Codes gelten nicht mehr.',
    spam: 'Das kann eine Minute dauern. Sehen Sie auch im Spam-Ordner nach.',
  },
  backToLogIn: 'Zurück zur Anmeldung',
  frozen: 'Zahlungen und Aufladungen sind gesperrt. Eingehendes Geld wird weiter gutgeschrieben.',
  contactSupport: 'Wenden Sie sich an den Support.',
  contactSupportAt: 'Support:',
  failedText:
    'Bei uns ist etwas schiefgegangen. Ihr Geld ist sicher. Versuchen Sie es gleich noch einmal.',
  offline: 'Keine Antwort. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  unexpected: 'Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.',
  rateLimited: (seconds) =>
    `Zu viele Versuche. Versuchen Sie es in ${countSeconds(seconds)} noch einmal.`,
}
