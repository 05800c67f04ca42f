import { sharedDe, sharedErrorsDe } from '../ui/messages-de.ts'
import type { Messages } from './messages-en.ts'

const errors: Messages['errors'] = {
  ...sharedErrorsDe,
  LOGIN_REQUIRED: 'Ihre Anmeldung ist abgelaufen. Melden Sie sich erneut an.',
  EMAIL_TAKEN: 'Ein Konto mit dieser E-Mail-Adresse existiert bereits.',
  SERVICE_UNAVAILABLE:
    'Die Geldbörse ist ausgelastet. Es wurde nichts geändert. Versuchen Sie es gleich noch einmal.',
  UNSUPPORTED_MEDIA_TYPE:
    'Ihr Browser hat eine ungültige Anfrage gesendet. Laden Sie die Seite neu und versuchen Sie es erneut.',
}

export const de: Messages = {
  ...sharedDe,
  pageTitle: (app) => `Ihre Geldbörse in ${app}`,
  loading: 'Ihre Geldbörse wird geladen.',
  provider: (service) => `Geldbörse von ${service}`,
  help: 'Hilfe',

  wallet: {
    greeting: (firstName) => `Hallo, ${firstName}`,
    balance: 'Guthaben',
    balanceChanged: (balance) => `Ihr Guthaben beträgt jetzt ${balance}.`,
    addMoney: 'Geld aufladen',
    topupAsked: (app) =>
      `${app} öffnet das Aufladen in einem neuen Fenster. Falls es sich nicht öffnet, erlauben Sie Pop-ups und versuchen Sie es erneut.`,
    spendable: (app, amount) => `${app} darf jetzt bis zu ${amount} abbuchen.`,
    activity: 'Letzte Buchungen',
    emptyTitle: 'Keine neueren Buchungen',
    empty: (app) => `Laden Sie Geld auf. Ihre Zahlungen bei ${app} erscheinen hier.`,
    manageAccount: 'Konto verwalten',
    opensWindow: '(öffnet ein neues Fenster)',
    switchAccount: 'Nicht Sie? Konto wechseln',
    switchQuestion: (app) =>
      `Sie melden sich in ${app} von dieser Geldbörse ab, dann mit einem anderen Konto an. Ihr Geld behalten Sie.`,
    switchConfirm: 'Konto wechseln',
    switchCancel: 'Abbrechen',
    switchAsked: (app) =>
      `${app} wechselt das Konto. Falls nichts geschieht, laden Sie die Seite neu.`,
    frozenTitle: 'Diese Geldbörse ist gesperrt.',
    frozen: sharedDe.frozen,
    offline:
      'Sie sind offline. Dieser Stand ist möglicherweise veraltet; er wird aktualisiert, sobald Sie wieder online sind.',
    stale:
      'Ihre Geldbörse konnte nicht aktualisiert werden. Dieser Stand ist möglicherweise veraltet.',
    retry: 'Erneut versuchen',
    received: 'Eingang',
    paid: 'Ausgang',
    released: 'Freigegeben',
    sources: {
      this_app: 'Zahlung',
      other_app: 'Andere App',
      topup: 'Aufladung',
      bonus: 'Bonus',
      dispute: 'Rückbuchung',
      correction: 'Korrektur',
      hold: 'Reserviert',
    },
  },

  failed: {
    offlineTitle: 'Sie sind offline',
    offline:
      'Wir erreichen Ihre Geldbörse nicht. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    title: 'Ihre Geldbörse konnte nicht geladen werden',
    text: sharedDe.failedText,
    busy: 'Zu viele Anfragen auf einmal. Wir versuchen es gleich automatisch noch einmal.',
    endedTitle: 'Ihre Sitzung ist beendet',
    ended: (app) =>
      `Zu Ihrem Schutz dauert eine Sitzung nur wenige Minuten. Laden Sie die Seite von ${app} neu, um sie wieder zu öffnen.`,
  },

  logIn: {
    title: 'Bei Ihrer Geldbörse anmelden',
    lead: (app) => `Bezahlen Sie damit bei ${app}.`,
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    other: 'Noch keine Geldbörse?',
    signUp: 'Konto erstellen',
    switched: (app) =>
      `Sie sind in ${app} von Ihrer Geldbörse abgemeldet. Melden Sie sich mit einem anderen Konto an.`,
    declined: (app) =>
      `Sie sind nicht verbunden. ${app} kann Ihre Geldbörse nicht sehen. Melden Sie sich wieder an, wenn Sie es sich anders überlegen.`,
  },
  signUp: {
    title: 'Ihre Geldbörse erstellen',
    lead: (app) => `Es dauert eine Minute. Danach können Sie bei ${app} bezahlen.`,
    submit: 'Konto erstellen',
    consent: (app) => `Wenn Sie das Konto erstellen, darf ${app}:`,
    instead: 'Stattdessen anmelden',
    other: 'Schon eine Geldbörse?',
    logIn: 'Anmelden',
  },
  consent: {
    title: (app) => `${app} möchte sich mit Ihrer Geldbörse verbinden`,
    lead: (firstName) => `Hallo, ${firstName}. Wenn Sie zustimmen, kann die App:`,
    leadNameless: 'Wenn Sie zustimmen, kann die App:',
    canSee: 'Ihr Guthaben sehen',
    canCharge: 'Ihre Geldbörse belasten, ohne jedes Mal zu fragen',
    cannot:
      'Sie sieht nicht, was Sie in anderen Apps tun. Von diesen Buchungen sieht sie nur Betrag und Uhrzeit.',
    undo: 'In Ihrem Konto können Sie die Verbindung jederzeit trennen.',
    agree: 'Zustimmen',
    notNow: 'Nicht jetzt',
  },
  verify: {
    title: 'Prüfen Sie Ihre E-Mails',
    lead: 'Wir haben einen 6-stelligen Code gesendet an',
    submit: 'Bestätigen',
  },
  linked: {
    title: 'Sie sind verbunden',
    text: (app) => `${app} lädt Ihre Geldbörse …`,
    hint: (app) =>
      `Falls nichts geschieht, laden Sie die Seite von ${app} neu. Ihre Verbindung ist gespeichert.`,
  },

  errors,
}
