import type { TopupMessages } from './messages-en.ts'

export const topupDe: TopupMessages = {
  pageTitle: (app) => `Geldbörse in ${app} aufladen`,
  loading: 'Ihre Zahlung wird geladen.',
  owner: 'In die Geldbörse von',

  amount: {
    title: 'Geld aufladen',
    balance: (balance) => `Guthaben: ${balance}`,
    label: 'Betrag',
    suggested: 'Vorgeschlagene Beträge',
    between: (min, max) => `Zwischen ${min} und ${max}.`,
    submit: 'Weiter zur Zahlung',
    canceled:
      'Die Zahlung wurde abgebrochen und nichts abgebucht. Sie können noch einmal beginnen.',
    errors: {
      empty: (example) => `Geben Sie einen Betrag wie ${example} ein.`,
      whole: 'Geben Sie einen ganzen Betrag ein: Diese Währung hat keine Nachkommastellen.',
      decimals: (count, example) =>
        `Verwenden Sie höchstens ${count} Nachkommastellen, wie in ${example}.`,
      tens: (example) => `Die letzte Ziffer muss 0 sein, wie in ${example}.`,
      small: (min) => `Der kleinste Betrag ist ${min}.`,
      large: (max) => `Der größte Betrag auf einmal ist ${max}.`,
      dayLimit: (max, time) =>
        `Sie können innerhalb von 24 Stunden bis zu ${max} aufladen. Wählen Sie einen kleineren Betrag. Dieser Betrag ist wieder möglich: ${time}.`,
      refused: (min, max) =>
        `Dieser Betrag ist nicht möglich. Wählen Sie einen zwischen ${min} und ${max}.`,
    },
  },

  card: {
    title: 'Mit Karte zahlen',
    adding: 'Sie laden auf',
    change: 'Ändern',
    changeWhat: '(Betrag)',
    changeAmount: 'Betrag ändern',
    pay: (amount) => `${amount} zahlen`,
    safe: (app) =>
      `Ihre Kartendaten gehen nur an den Zahlungsanbieter. ${app} bekommt sie nie zu sehen.`,
    paying: 'Die Zahlung läuft … Lassen Sie dieses Fenster offen.',
  },

  declined: {
    generic:
      'Ihre Bank hat die Karte abgelehnt. Nehmen Sie eine andere Karte oder fragen Sie Ihre Bank nach dem Grund.',
    insufficient_funds:
      'Auf dieser Karte ist nicht genug Geld. Nehmen Sie eine andere Karte oder einen kleineren Betrag.',
    expired_card:
      'Diese Karte ist abgelaufen. Prüfen Sie das Datum oder nehmen Sie eine andere Karte.',
    incorrect_cvc:
      'Die Prüfziffer ist falsch. Vergleichen Sie sie mit Ihrer Karte und versuchen Sie es erneut.',
    processing_error:
      'Ihre Bank konnte die Karte gerade nicht bearbeiten. Es wurde nichts abgebucht. Versuchen Sie es in einer Minute noch einmal.',
    authentication:
      'Ihre Bank konnte nicht bestätigen, dass Sie es sind. Es wurde nichts abgebucht. Versuchen Sie es erneut oder nehmen Sie eine andere Karte.',
    unanswered:
      'Die Verbindung wurde unterbrochen, bevor eine Antwort kam. Versuchen Sie es erneut: Der Betrag wird nie doppelt abgebucht.',
    unexpected:
      'Die Zahlung kam nicht zustande, es wurde nichts abgebucht. Versuchen Sie es erneut oder nehmen Sie eine andere Karte.',
  },

  action: {
    title: 'Ihre Bank benötigt eine Bestätigung',
    text: (amount) => `Bestätigen Sie die Zahlung von ${amount} bei Ihrer Bank.`,
    submit: 'Weiter',
    otherCard: 'Andere Karte verwenden',
  },

  result: {
    doneTitle: (amount) => `${amount} aufgeladen`,
    done: (balance, time) => `${time}. Ihr Guthaben beträgt ${balance}.`,
    paidTitle: 'Bezahlt',
    paid: 'Ihr Guthaben wird gleich aktualisiert.',
    processingTitle: 'Ihre Bank bearbeitet die Zahlung',
    processing:
      'Ihr Guthaben wird danach automatisch aktualisiert. Sie können dieses Fenster schließen.',
    processingInFrame: 'Ihr Guthaben wird danach automatisch aktualisiert.',
    close: (app) => `Zurück zu ${app}`,
    closeYourself: 'Sie können dieses Fenster jetzt schließen.',
    toWallet: 'Zurück zur Geldbörse',
  },

  other: {
    paidTitle: (amount) => `${amount} bezahlt`,
    paid: 'Das Geld geht an die Geldbörse, für die diese Zahlung begonnen wurde. Das Guthaben wird gleich aktualisiert.',
    processingTitle: 'Diese Zahlung wird bearbeitet',
    processing:
      'Die Bank hat sie noch nicht bestätigt. Danach geht das Geld an die Geldbörse, für die diese Zahlung begonnen wurde.',
    openTitle: 'Diese Zahlung ist nicht abgeschlossen',
    failedTitle: 'Diese Zahlung ist fehlgeschlagen',
    canceledTitle: 'Diese Zahlung wurde abgebrochen',
    unpaid: (app) =>
      `Es wurde nichts abgebucht. Um Ihre Geldbörse aufzuladen, gehen Sie zurück zu ${app} und beginnen Sie eine neue Zahlung.`,
    unpaidHere:
      'Es wurde nichts abgebucht. Um Ihre Geldbörse aufzuladen, beginnen Sie eine neue Zahlung.',
    startAgain: 'Neue Zahlung beginnen',
  },

  problem: {
    retry: 'Erneut versuchen',
    endedTitle: 'Ihre Sitzung ist beendet',
    ended: (app) =>
      `Zu Ihrem Schutz dauert eine Sitzung nur wenige Minuten. Es wurde nichts abgebucht. Gehen Sie zurück zu ${app} und öffnen Sie das Aufladen noch einmal.`,
    frozenTitle: 'Diese Geldbörse ist gesperrt',
    frozen:
      'Sie können zurzeit kein Geld aufladen. Wenden Sie sich an den Support, um die Sperre aufzuheben.',
    unavailableTitle: 'Aufladen ist hier nicht möglich',
    unavailable: (app) => `Kartenzahlungen sind zurzeit nicht möglich. Wenden Sie sich an ${app}.`,
    scriptTitle: 'Das Kartenformular wurde nicht geladen',
    script:
      'Es wurde nichts abgebucht. Prüfen Sie die Verbindung und ob etwas den Zahlungsanbieter blockiert, und versuchen Sie es erneut.',
    unreachableTitle: 'Wir können Ihre Zahlung nicht prüfen',
    unreachable:
      'Der Zahlungsanbieter hat nicht geantwortet. Wenn Sie bezahlt haben, wird Ihr Guthaben automatisch aktualisiert. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    notFoundTitle: 'Zahlung nicht gefunden',
    notFound: (app) => `Gehen Sie zurück zu ${app} und öffnen Sie das Aufladen noch einmal.`,
    providerDown:
      'Der Zahlungsanbieter antwortet nicht. Es wurde nichts abgebucht. Versuchen Sie es gleich noch einmal.',
    unanswered:
      'Keine Antwort. Es wurde nichts abgebucht. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  },

  testCards: {
    title: 'Testkarten',
    hint: 'Mit einem beliebigen Datum in der Zukunft und beliebiger Prüfziffer.',
    succeeds: 'Erfolgreich',
    funds: 'Zu wenig Geld',
    declined: 'Abgelehnt',
    threeDSecure: '3-D Secure',
  },
}
