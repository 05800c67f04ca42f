import { sharedDe, sharedErrorsDe } from '../ui/messages-de.ts'
import { limitsDe } from './apps/limit-messages-de.ts'
import { mailLinksDe } from './sign-in/mail-link-messages-de.ts'
import { cardsDe } from './profile/card-messages-de.ts'
import { statementDe } from './statement/messages-de.ts'
import { passkeysDe } from './profile/passkey-messages-de.ts'
import { historyDe } from './history/messages-de.ts'
import type { Messages } from './messages-en.ts'

const errors: Messages['errors'] = {
  ...sharedErrorsDe,
  EMAIL_TAKEN: 'Ein anderes Konto verwendet diese E-Mail-Adresse. Verwenden Sie eine andere.',
  SERVICE_UNAVAILABLE:
    'Der Dienst ist ausgelastet. Es wurde nichts geändert. Versuchen Sie es gleich noch einmal.',
  OUTCOME_UNKNOWN:
    'Das dauert länger als üblich. Laden Sie die Seite in einer Minute neu, um zu sehen, ob es erledigt ist.',
  ACCOUNT_NOT_EMPTY:
    'Ihr Konto hat noch Guthaben, reservierte Beträge oder Schulden und wurde deshalb nicht gelöscht. Gleichen Sie es zuerst aus.',
}

export const de: Messages = {
  ...sharedDe,
  brand: 'Geldbörse',
  pageTitle: (section) => `${section} · Ihre Geldbörse`,
  loading: 'Wird geladen …',
  retry: 'Erneut versuchen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  saved: 'Gespeichert.',
  copy: {
    idle: 'Kopieren',
    copied: 'Kopiert',
    failed: 'Nicht kopiert',
    named: (what) => `Kopieren: ${what}`,
  },
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
    ...sharedDe.fields,
    newEmail: 'Neue E-Mail',
    currentPassword: 'Aktuelles Passwort',
  },
  refused: { ...sharedDe.refused, newPassword: sharedDe.refused.password },
  passwordWrong: 'Das ist nicht Ihr Passwort. Prüfen Sie es und versuchen Sie es erneut.',

  logIn: {
    title: 'Bei Ihrem Konto anmelden',
    lead: 'Sehen Sie Guthaben und Verlauf, und bestimmen Sie, welche Apps Ihre Geldbörse nutzen dürfen.',
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    other: 'Noch keine Geldbörse?',
    signUp: 'Konto erstellen',
    loggedOut: 'Sie sind abgemeldet.',
    expired: 'Zu Ihrem Schutz haben wir Sie abgemeldet. Melden Sie sich bitte wieder an.',
    notKept:
      'Ihr Browser hat die Anmeldung nicht behalten. Erlauben Sie Cookies für diese Seite. Safari behält sie nur über https.',
  },
  signUp: {
    title: 'Ihre Geldbörse erstellen',
    lead: 'Es dauert eine Minute. Apps können Ihre Geldbörse erst nutzen, wenn Sie sie verbinden.',
    submit: 'Konto erstellen',
    taken: 'Mit dieser E-Mail-Adresse gibt es schon ein Konto.',
    instead: 'Stattdessen anmelden',
    other: 'Schon eine Geldbörse?',
    logIn: 'Anmelden',
  },
  verify: {
    title: 'Prüfen Sie Ihre E-Mails',
    lead: 'Wir haben einen 6-stelligen Code gesendet an',
    submit: 'Bestätigen',
  },
  ...mailLinksDe,
  overview: {
    greeting: (firstName) => `Hallo, ${firstName}`,
    balance: 'Guthaben',
    addMoney: 'Geld aufladen',
    debtTitle: (debt) => `Sie schulden ${debt}.`,
    held: (held) => `Weitere ${held} sind von Apps reserviert.`,
    debt: 'Ihre Bank hat eine Kartenzahlung zurückgebucht. Ihre nächste Aufladung begleicht zuerst diese Schuld.',
    frozenTitle: 'Ihre Geldbörse ist gesperrt.',
    frozen: sharedDe.frozen,
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

  history: historyDe,
  statement: statementDe,

  apps: {
    title: 'Verbundene Apps',
    lead: 'Diese Apps können Ihr Guthaben sehen und Ihre Geldbörse belasten. Keine App sieht, was Sie in anderen Apps tun.',
    since: (date) => `Verbunden: ${date}`,
    unlink: 'Trennen',
    unlinkNamed: (app) => `${app} trennen`,
    emptyTitle: 'Keine verbundenen Apps',
    empty: 'Apps erscheinen hier, sobald Sie sich dort bei Ihrer Geldbörse anmelden.',
    dialogTitle: (app) => `${app} trennen?`,
    dialog: (app) =>
      `${app} kann Ihr Guthaben nicht mehr sehen und Ihre Geldbörse nicht mehr belasten. Ihr Geld und Ihr Verlauf bleiben erhalten.`,
    dialogAgain:
      'Wenn Sie die App später wieder verbinden, behandelt sie Sie wie eine neue Person.',
    unlinked: (app) => `${app} ist getrennt.`,
    unlinkAll: 'Alle Apps trennen',
    allTitle: 'Alle Apps trennen?',
    all: 'Keine App kann mehr Ihr Guthaben sehen oder Ihre Geldbörse belasten. Ihr Geld und Ihr Verlauf bleiben erhalten.',
    allUnlinked: 'Alle Apps sind getrennt.',
  },
  limits: limitsDe,
  passkeys: passkeysDe,
  cards: cardsDe,

  profile: {
    title: 'Profil & Sicherheit',
    name: 'Name',
    nameHint: 'Wird in Ihrer Geldbörse in verbundenen Apps angezeigt.',
    email: 'E-Mail',
    emailHint:
      'Mit dieser Adresse melden Sie sich an. Wir benachrichtigen Sie dort, wenn sich Ihr Konto ändert.',
    emailNow: (email) => `Ihre E-Mail ist ${email}.`,
    emailSubmit: 'E-Mail ändern',
    emailSent: 'Wir haben einen 6-stelligen Code gesendet an',
    emailSpam:
      'Das kann eine Minute dauern. Wenn keine E-Mail ankommt, prüfen Sie die Adresse und beginnen Sie neu.',
    emailConfirm: 'Bestätigen',
    emailAgain: 'Neu beginnen',
    emailChanged: (email) => `Ihre E-Mail ist jetzt ${email}.`,
    password: 'Passwort',
    passwordHint: 'Wenn Sie Ihr Passwort ändern, werden Sie auf allen anderen Geräten abgemeldet.',
    passwordSubmit: 'Passwort ändern',
    passwordChanged: 'Ihr Passwort wurde geändert. Sie sind auf allen anderen Geräten abgemeldet.',
    logIns: 'Geräte',
    logInsHint:
      'Auf diesen Geräten sind Sie angemeldet. Melden Sie unbekannte Geräte ab und ändern Sie dann Ihr Passwort.',
    thisDevice: 'Dieses Gerät',
    lastSeen: (date) => `Zuletzt aktiv: ${date}`,
    end: 'Abmelden',
    endNamed: (device) => `${device} abmelden`,
    ended: (device) => `${device} ist abgemeldet.`,
    device: (device) =>
      device === 'Unknown device' ? 'Unbekanntes Gerät' : device.replace(' on ', ' auf '),
    emails: 'E-Mails',
    emailsHint:
      'Über neue Anmeldungen, verbundene Apps, Passkeys und Änderungen von E-Mail oder Passwort benachrichtigen wir Sie immer.',
    receipts: 'Quittung senden, wenn Geld aufgeladen wird',
    paymentMin: (currency) => `E-Mail bei Zahlungen ab (${currency})`,
    balanceMin: (currency) => `E-Mail, wenn mein Guthaben fällt unter (${currency})`,
    alertHint: 'Lassen Sie das Feld leer, wenn Sie keine E-Mails möchten.',
    alertError: 'Geben Sie einen Betrag wie 20 oder 19,99 ein, oder lassen Sie das Feld leer.',
    data: 'Ihre Daten',
    dataHint: 'Konto, Einstellungen, Apps, Geräte, Aufladungen und Verlauf in einer Datei.',
    dataDownload: 'Als JSON herunterladen',
    delete: 'Konto löschen',
    deleteHint:
      'Löscht Namen, E-Mail-Adresse und verbundene Apps endgültig. Die Buchhaltungsdaten bleiben ohne Ihren Namen erhalten.',
    deleteNotEmpty: (balance) =>
      `Sie haben ${balance}. Geben Sie das Geld aus, bevor Sie Ihr Konto löschen.`,
    deleteHeld: (held) =>
      `Apps haben ${held} reserviert. Warten Sie, bis sie das Geld abbuchen oder freigeben, bevor Sie Ihr Konto löschen.`,
    deleteIndebted: (debt) =>
      `Sie schulden ${debt}. Begleichen Sie das, bevor Sie Ihr Konto löschen.`,
    deleteOpen: 'Konto löschen …',
    deleteTitle: 'Ihr Konto löschen?',
    deleteText:
      'Alle Apps werden getrennt, und Sie können sich nicht mehr anmelden. Das lässt sich nicht rückgängig machen.',
    deleteWait: 'Das dauert einige Sekunden, bis laufende Zahlungen abgeschlossen sind.',
    deleteSubmit: 'Endgültig löschen',
    deletedTitle: 'Ihr Konto wurde gelöscht',
    deleted:
      'Ihre persönlichen Daten wurden gelöscht und alle Apps getrennt. Sie können dieses Fenster schließen.',
  },

  display: {
    language: 'Sprache',
    languageHint: 'Für diese Seiten und für unsere E-Mails an Sie.',
    languageField: 'Ihre Sprache',
    asBrowser: 'Wie im Browser',
    theme: 'Darstellung',
    themeHint: 'Nur in diesem Browser.',
    themeField: 'Farben',
    themes: { auto: 'Wie im System', light: 'Hell', dark: 'Dunkel' },
  },

  failed: {
    offlineTitle: 'Sie sind offline',
    offline:
      'Wir erreichen Ihr Konto nicht. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    title: 'Ihr Konto konnte nicht geladen werden',
    text: sharedDe.failedText,
  },
  errors,
}
