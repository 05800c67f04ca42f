import type { Messages } from './messages-en.ts'

function countSeconds(seconds: number): string {
  if (seconds > 120) return `${Math.ceil(seconds / 60)} Minuten`
  return seconds === 1 ? '1 Sekunde' : `${seconds} Sekunden`
}

const errors: Messages['errors'] = {
  LOGIN_FAILED: 'E-Mail oder Passwort ist falsch. Prüfen Sie beides und versuchen Sie es erneut.',
  LOGIN_REQUIRED: 'Das hat zu lange gedauert. Melden Sie sich bitte noch einmal an.',
  CODE_INVALID: 'Der Code ist falsch oder zu alt. Prüfen Sie ihn oder fordern Sie einen neuen an.',
  EMAIL_TAKEN: 'Zu dieser E-Mail gibt es schon ein Konto. Melden Sie sich stattdessen an.',
  PASSWORD_REFUSED:
    'Dieses Passwort ist zu leicht zu erraten. Wählen Sie eines, das weder üblich noch Teil Ihrer E-Mail ist.',
  INVALID_REQUEST:
    'Etwas in diesem Formular passt nicht. Prüfen Sie Ihre Angaben und versuchen Sie es erneut.',
  ORIGIN_NOT_ALLOWED:
    'Diese Seite darf das nicht. Laden Sie sie neu und versuchen Sie es noch einmal.',
  SERVICE_UNAVAILABLE:
    'Die Geldbörse ist ausgelastet, es wurde nichts geändert. Versuchen Sie es gleich noch einmal.',
  PAYLOAD_TOO_LARGE: 'Das ist zu viel Text. Kürzen Sie Ihre Angaben und versuchen Sie es erneut.',
  UNSUPPORTED_MEDIA_TYPE:
    'Ihr Browser hat die Angaben falsch gesendet. Laden Sie die Seite neu und versuchen Sie es erneut.',
}

export const de: Messages = {
  lang: 'de',
  pageTitle: (app) => `Ihre Geldbörse in ${app}`,
  testMode: 'Testbetrieb. Es fließt kein echtes Geld.',
  loading: 'Ihre Geldbörse wird geladen.',

  wallet: {
    greeting: (firstName) => `Hallo, ${firstName}`,
    balance: 'Guthaben',
    balanceChanged: (balance) => `Ihr Guthaben beträgt jetzt ${balance}.`,
    addMoney: 'Geld aufladen',
    topupAsked: (app) =>
      `${app} öffnet das Aufladen in einem neuen Fenster. Falls keines erscheint, erlauben Sie Pop-ups und versuchen Sie es erneut.`,
    activity: 'Letzte Buchungen',
    emptyTitle: 'Noch keine Buchungen',
    empty: (app) => `Laden Sie Geld auf. Was Sie in ${app} bezahlen, erscheint hier.`,
    manageAccount: 'Konto verwalten',
    opensWindow: '(öffnet ein neues Fenster)',
    switchAccount: 'Nicht Sie? Konto wechseln',
    switchAsked: (app) =>
      `${app} wechselt das Konto. Falls nichts geschieht, laden Sie die Seite neu.`,
    frozenTitle: 'Diese Geldbörse ist gesperrt.',
    frozen:
      'Geld kann eingehen, Zahlungen sind aber angehalten. Wenden Sie sich an den Support, um sie freizugeben.',
    offline: 'Sie sind offline. Das ist der letzte bekannte Stand; er wird später aktualisiert.',
    stale: 'Die Geldbörse ließ sich nicht aktualisieren. Das ist der letzte bekannte Stand.',
    retry: 'Erneut versuchen',
    received: 'Eingang',
    paid: 'Ausgang',
    sources: {
      this_app: 'Zahlung',
      other_app: 'Andere App',
      topup: 'Aufladung',
      bonus: 'Bonus',
      dispute: 'Rückbuchung',
      correction: 'Korrektur',
    },
  },

  failed: {
    offlineTitle: 'Sie sind offline',
    offline:
      'Wir erreichen Ihre Geldbörse nicht. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    title: 'Die Geldbörse wurde nicht geladen',
    text: 'Bei uns ist etwas schiefgegangen. Ihr Geld ist sicher. Versuchen Sie es gleich noch einmal.',
    busy: 'Zu viele Anfragen auf einmal. Wir versuchen es gleich von selbst noch einmal.',
    endedTitle: 'Ihre Sitzung ist beendet',
    ended: (app) =>
      `Zu Ihrem Schutz bleibt die Geldbörse nur wenige Minuten offen. Laden Sie die Seite von ${app} neu, um sie wieder zu öffnen.`,
  },

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
  faults: {
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
  passwordTooShort: (min) => `Verwenden Sie mindestens ${min} Zeichen.`,

  logIn: {
    title: 'Bei Ihrer Geldbörse anmelden',
    lead: (app) => `Bezahlen Sie damit in ${app}.`,
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    other: 'Noch keine Geldbörse?',
    signUp: 'Konto erstellen',
    declined: (app) =>
      `Sie sind nicht verbunden, und ${app} sieht nichts von Ihrer Geldbörse. Melden Sie sich wieder an, wenn Sie es sich anders überlegen.`,
  },
  signUp: {
    title: 'Ihre Geldbörse erstellen',
    lead: (app) => `In einer Minute können Sie damit in ${app} bezahlen.`,
    submit: 'Konto erstellen',
    consent: (app) =>
      `Mit dem Erstellen des Kontos erlauben Sie ${app}, Ihr Guthaben zu sehen und Ihre Geldbörse zu belasten.`,
    other: 'Schon eine Geldbörse?',
    logIn: 'Anmelden',
  },
  consent: {
    title: (app) => `${app} möchte sich mit Ihrer Geldbörse verbinden`,
    lead: (firstName) => `Hallo, ${firstName}. Wenn Sie zustimmen, kann die App:`,
    leadNameless: 'Wenn Sie zustimmen, kann die App:',
    canSee: 'Ihr Guthaben sehen',
    canCharge: 'Ihre Geldbörse belasten',
    cannot:
      'Sie sieht nicht, was Sie in anderen Apps tun: Von solchen Buchungen erhält sie nur Betrag und Uhrzeit.',
    undo: 'In Ihrem Konto können Sie die Verbindung jederzeit trennen.',
    agree: 'Zustimmen',
    notNow: 'Nicht jetzt',
  },
  verify: {
    title: 'Prüfen Sie Ihre E-Mails',
    lead: 'Wir haben eine Nachricht mit einem 6-stelligen Code gesendet an',
    submit: 'Bestätigen',
    resend: 'Neuen Code senden',
    resent: 'Wir haben einen neuen Code gesendet. Ältere gelten nicht mehr.',
    spam: 'Das kann eine Minute dauern. Sehen Sie auch im Spam-Ordner nach.',
    back: 'Zurück zur Anmeldung',
  },
  forgot: {
    title: 'Passwort zurücksetzen',
    lead: 'Geben Sie die E-Mail Ihres Kontos ein. Wir senden Ihnen einen Code.',
    submit: 'Code senden',
  },
  reset: {
    title: 'Neues Passwort wählen',
    lead: 'Falls es ein Konto gibt, haben wir einen 6-stelligen Code gesendet an',
    submit: 'Speichern und anmelden',
  },
  linked: {
    title: 'Sie sind verbunden',
    text: (app) => `${app} lädt Ihre Geldbörse …`,
    hint: (app) =>
      `Falls nichts geschieht, laden Sie die Seite von ${app} neu. Ihre Verbindung ist gespeichert.`,
  },

  errors,
  offline: 'Es kam keine Antwort. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  unforeseen: 'Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.',
  rateLimited: (seconds) =>
    `Zu viele Versuche. Versuchen Sie es in ${countSeconds(seconds)} noch einmal.`,
}
