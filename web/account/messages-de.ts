import type { Messages } from './messages-en.ts'

function countSeconds(seconds: number): string {
  if (seconds > 120) return `${Math.ceil(seconds / 60)} Minuten`
  return seconds === 1 ? '1 Sekunde' : `${seconds} Sekunden`
}

const errors: Messages['errors'] = {
  LOGIN_FAILED: 'E-Mail oder Passwort ist falsch. Prüfen Sie beides und versuchen Sie es erneut.',
  CODE_INVALID: 'Der Code ist falsch oder zu alt. Prüfen Sie ihn oder fordern Sie einen neuen an.',
  EMAIL_TAKEN: 'Zu dieser E-Mail gibt es ein anderes Konto. Verwenden Sie eine andere.',
  PASSWORD_REFUSED:
    'Dieses Passwort ist zu leicht zu erraten. Wählen Sie eines, das weder üblich noch Teil Ihrer E-Mail ist.',
  INVALID_REQUEST:
    'Etwas in diesem Formular passt nicht. Prüfen Sie Ihre Angaben und versuchen Sie es erneut.',
  ORIGIN_NOT_ALLOWED:
    'Diese Seite darf das nicht. Laden Sie sie neu und versuchen Sie es noch einmal.',
  SERVICE_UNAVAILABLE:
    'Der Dienst ist ausgelastet, es wurde nichts geändert. Versuchen Sie es gleich noch einmal.',
  ACCOUNT_NOT_EMPTY:
    'Auf Ihrem Konto sind Geld oder Schulden, deshalb wurde es nicht gelöscht. Gleichen Sie es zuerst aus.',
  PAYLOAD_TOO_LARGE: 'Das ist zu viel Text. Kürzen Sie Ihre Angaben und versuchen Sie es erneut.',
}

export const de: Messages = {
  lang: 'de',
  brand: 'Geldbörse',
  pageTitle: (section) => `${section} · Ihre Geldbörse`,
  testMode: 'Testbetrieb. Es fließt kein echtes Geld.',
  loading: 'Wird geladen …',
  retry: 'Erneut versuchen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  saved: 'Gespeichert.',
  logOut: 'Abmelden',
  skip: 'Zum Inhalt springen',
  nav: {
    label: 'Ihr Konto',
    overview: 'Übersicht',
    history: 'Verlauf',
    apps: 'Verbundene Apps',
    appsShort: 'Apps',
    profile: 'Profil & Sicherheit',
    profileShort: 'Profil',
  },

  fields: {
    firstName: 'Vorname',
    lastName: 'Nachname',
    email: 'E-Mail',
    newEmail: 'Neue E-Mail',
    password: 'Passwort',
    currentPassword: 'Jetziges Passwort',
    newPassword: 'Neues Passwort',
    code: 'Code',
    showPassword: 'Passwort anzeigen',
  },
  passwordHint: (min) => `Mindestens ${min} Zeichen.`,
  passwordMissing: (left) => `Noch ${left} Zeichen.`,
  passwordLongEnough: 'Lang genug.',
  passwordTooShort: (min) => `Verwenden Sie mindestens ${min} Zeichen.`,
  passwordWrong: 'Das ist nicht Ihr Passwort. Prüfen Sie es und versuchen Sie es erneut.',
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
    newPassword: 'Verwenden Sie höchstens 128 Zeichen.',
  },

  logIn: {
    title: 'Bei Ihrem Konto anmelden',
    lead: 'Sehen Sie Guthaben und Verlauf, und bestimmen Sie, welche Apps Ihre Geldbörse nutzen dürfen.',
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    noAccount: 'Noch kein Konto? Sie erstellen es in jeder App, die diese Geldbörse annimmt.',
    loggedOut: 'Sie sind abgemeldet.',
    expired: 'Zu Ihrem Schutz haben wir Sie abgemeldet. Melden Sie sich bitte wieder an.',
  },
  forgot: {
    title: 'Passwort zurücksetzen',
    lead: 'Geben Sie die E-Mail Ihres Kontos ein. Wir senden Ihnen einen Code.',
    submit: 'Code senden',
    back: 'Zurück zur Anmeldung',
  },
  reset: {
    title: 'Neues Passwort wählen',
    lead: 'Falls es ein Konto gibt, haben wir einen 6-stelligen Code gesendet an',
    submit: 'Speichern und anmelden',
    resend: 'Neuen Code senden',
    resent: 'Wir haben einen neuen Code gesendet. Ältere gelten nicht mehr.',
    spam: 'Das kann eine Minute dauern. Sehen Sie auch im Spam-Ordner nach.',
  },

  overview: {
    greeting: (firstName) => `Hallo, ${firstName}`,
    balance: 'Guthaben',
    debtTitle: (debt) => `Sie schulden ${debt}.`,
    debt: 'Ihre Bank hat eine Kartenzahlung zurückgeholt. Die nächste Aufladung begleicht das zuerst.',
    frozenTitle: 'Ihre Geldbörse ist gesperrt.',
    frozen:
      'Geld kann eingehen, Zahlungen sind aber angehalten. Wenden Sie sich an den Support, um sie freizugeben.',
    recent: 'Letzte Buchungen',
    all: 'Alle ansehen',
    appsTitle: 'Verbundene Apps',
    apps: (count) =>
      count === 1
        ? '1 App kann Ihre Geldbörse belasten.'
        : `${count} Apps können Ihre Geldbörse belasten.`,
    noApps: 'Keine App kann Ihre Geldbörse belasten.',
    manage: 'Verwalten',
  },

  history: {
    title: 'Verlauf',
    search: 'Suche',
    searchHint: 'Referenz, Beschreibung oder App',
    filters: 'Filter',
    type: 'Richtung',
    anyType: 'Ein und aus',
    types: { debit: 'Ausgänge', credit: 'Eingänge' },
    source: 'Herkunft',
    anySource: 'Alle',
    sources: {
      app: 'Apps',
      topup: 'Aufladungen',
      bonus: 'Boni',
      dispute: 'Rückbuchungen',
      correction: 'Korrekturen',
    },
    from: 'Von',
    to: 'Bis',
    utc: 'Die Tage beginnen um Mitternacht UTC.',
    clear: 'Filter löschen',
    download: 'CSV herunterladen',
    more: 'Mehr anzeigen',
    emptyTitle: 'Noch keine Buchungen',
    empty: 'Laden Sie Geld auf oder bezahlen Sie in einer App. Es erscheint dann hier.',
    noneTitle: 'Nichts gefunden',
    none: 'Keine Buchung passt. Versuchen Sie andere Wörter oder weniger Filter.',
    searchedPart: 'Bisher nichts. Ältere Buchungen sind noch nicht durchsucht.',
    failed: 'Der Verlauf ließ sich nicht laden.',
    found: (count, hasMore) =>
      `${count}${hasMore ? ' oder mehr' : ''} ${count === 1 ? 'Buchung' : 'Buchungen'}`,
    received: 'Eingang',
    paid: 'Ausgang',
    details: {
      time: 'Zeit',
      app: 'App',
      description: 'Beschreibung',
      referenceType: 'Art der Referenz',
      reference: 'Referenz',
      balanceAfter: 'Guthaben danach',
      id: 'Kennung',
    },
    names: {
      app: 'Zahlung',
      refund: 'Gutschrift',
      topup: 'Aufladung',
      bonus: 'Bonus',
      dispute: 'Rückbuchung',
      correction: 'Korrektur',
    },
  },

  apps: {
    title: 'Verbundene Apps',
    lead: 'Diese Apps sehen Ihr Guthaben und können Ihre Geldbörse belasten. Was Sie in einer App tun, bleibt den anderen verborgen.',
    since: (date) => `Verbunden: ${date}`,
    unlink: 'Trennen',
    unlinkNamed: (app) => `${app} trennen`,
    emptyTitle: 'Keine verbundenen Apps',
    empty: 'Wenn Sie sich in einer App bei Ihrer Geldbörse anmelden, erscheint sie hier.',
    dialogTitle: (app) => `${app} trennen?`,
    dialog: (app) =>
      `${app} kann Ihr Guthaben nicht mehr sehen und Ihre Geldbörse nicht mehr belasten. Geld und Verlauf bleiben bei Ihnen.`,
    dialogAgain:
      'Wenn Sie die App wieder verbinden, erkennt sie Sie nicht als dieselbe Geldbörse wieder.',
    unlinked: (app) => `${app} ist getrennt.`,
  },

  profile: {
    title: 'Profil & Sicherheit',
    name: 'Name',
    nameHint: 'Apps, die Sie verbinden, zeigen ihn in ihrer Geldbörse.',
    email: 'E-Mail',
    emailHint: 'Damit melden Sie sich an, und wir schreiben Ihnen, wenn sich Ihr Konto ändert.',
    emailNow: (email) => `Ihre E-Mail ist ${email}.`,
    emailSubmit: 'E-Mail ändern',
    emailSent: 'Wir haben einen 6-stelligen Code gesendet an',
    emailSpam:
      'Das kann eine Minute dauern. Kommt nichts an, prüfen Sie die Adresse und beginnen Sie neu.',
    emailConfirm: 'Bestätigen',
    emailAgain: 'Neu beginnen',
    emailChanged: (email) => `Ihre E-Mail ist jetzt ${email}.`,
    password: 'Passwort',
    passwordHint: 'Ein neues Passwort meldet Sie auf allen anderen Geräten ab.',
    passwordSubmit: 'Passwort ändern',
    passwordChanged: 'Ihr Passwort ist geändert. Überall sonst sind Sie abgemeldet.',
    logIns: 'Geräte',
    logInsHint:
      'Hier sind Sie gerade angemeldet. Beenden Sie, was Sie nicht kennen, und ändern Sie dann Ihr Passwort.',
    thisDevice: 'Dieses Gerät',
    lastSeen: (date) => `Zuletzt aktiv: ${date}`,
    end: 'Abmelden',
    endNamed: (device) => `${device} abmelden`,
    ended: (device) => `${device} ist abgemeldet.`,
    device: (device) =>
      device === 'Unknown device' ? 'Unbekanntes Gerät' : device.replace(' on ', ' auf '),
    delete: 'Konto löschen',
    deleteHint:
      'Name, E-Mail und Verbindungen werden endgültig gelöscht. Die Buchführung bleibt, ohne Ihren Namen.',
    deleteNotEmpty: (balance) =>
      `Sie haben ${balance}. Geben Sie das Geld aus, bevor Sie Ihr Konto löschen.`,
    deleteIndebted: (debt) =>
      `Sie schulden ${debt}. Begleichen Sie das, bevor Sie Ihr Konto löschen.`,
    deleteOpen: 'Konto löschen …',
    deleteTitle: 'Ihr Konto löschen?',
    deleteText:
      'Alle Apps werden getrennt, und Sie können sich nicht mehr anmelden. Das lässt sich nicht rückgängig machen.',
    deleteWait: 'Das dauert einige Sekunden: Wir warten auf Zahlungen, die noch unterwegs sind.',
    deleteSubmit: 'Endgültig löschen',
    deletedTitle: 'Ihr Konto ist gelöscht',
    deleted:
      'Ihre persönlichen Daten sind gelöscht und alle Apps getrennt. Sie können dieses Fenster schließen.',
  },

  failed: {
    offlineTitle: 'Sie sind offline',
    offline:
      'Wir erreichen Ihr Konto nicht. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
    title: 'Ihr Konto wurde nicht geladen',
    text: 'Bei uns ist etwas schiefgegangen. Ihr Geld ist sicher. Versuchen Sie es gleich noch einmal.',
  },
  errors,
  offline: 'Es kam keine Antwort. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  unforeseen: 'Bei uns ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.',
  rateLimited: (seconds) =>
    `Zu viele Versuche. Versuchen Sie es in ${countSeconds(seconds)} noch einmal.`,
}
