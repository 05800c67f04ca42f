import {
  RESET_LINK_MINUTES,
  TICKET_MINUTES,
  UNDO_LINK_DAYS,
  WARNING_LINK_DAYS,
} from '@coffer/contract/limits'
import type { PersonMails } from './messages-en.ts'
import type { Mail } from './messages.ts'

function wasntMe(warningLink: string | undefined): string {
  if (warningLink === undefined) {
    return 'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück.\n'
  }
  return `Das waren nicht Sie? Öffnen Sie diesen Link:\n\n${warningLink}\n\nNach Ihrer Bestätigung beendet er alle Anmeldungen, trennt alle Apps, entfernt alle Passkeys, schaltet die automatische Aufladung aus und sperrt Ihr Passwort. Er gilt ${WARNING_LINK_DAYS} Tage und funktioniert einmal.\n`
}

function nameDevice(device: string): string {
  return device === 'Unknown device' ? 'Unbekanntes Gerät' : device.replace(' on ', ' auf ')
}

function write(subject: string, ...paragraphs: string[]): Mail {
  return { lang: 'de', subject, text: paragraphs.join('\n\n') }
}

export const mailsDe: PersonMails = {
  verificationCode: (code) =>
    write(
      'Bestätigen Sie Ihre E-Mail-Adresse',
      'Geben Sie diesen Code ein, um Ihre E-Mail-Adresse zu bestätigen:',
      code,
      `Er gilt ${TICKET_MINUTES} Minuten. Wenn Sie das nicht waren, ignorieren Sie diese Nachricht: Ohne den Code geschieht nichts.\n`,
    ),

  resetLink: (url) =>
    write(
      'Neues Passwort für Ihre Geldbörse',
      'Öffnen Sie diesen Link, um ein neues Passwort für Ihre Geldbörse zu setzen:',
      url,
      `Er gilt ${RESET_LINK_MINUTES} Minuten und funktioniert einmal. Wenn Sie das nicht waren, ignorieren Sie diese Nachricht: Ihr Passwort bleibt gleich.\n`,
    ),

  alreadyRegistered: () =>
    write(
      'Sie haben bereits ein Konto',
      'Jemand, wahrscheinlich Sie, wollte sich mit dieser E-Mail-Adresse registrieren. Sie haben bereits ein Konto: Melden Sie sich stattdessen an, oder setzen Sie dort Ihr Passwort zurück.',
      'Wenn Sie das nicht waren, müssen Sie nichts tun.\n',
    ),

  passwordReset: (accountUrl, warningLink) =>
    write(
      'Das Passwort Ihrer Geldbörse wurde zurückgesetzt',
      `Ihr Konto hat ein neues Passwort. Sie wurden überall sonst abgemeldet. Wenn Sie Passkeys hatten, wurden sie entfernt, und wenn die automatische Aufladung an war, wurde sie ausgeschaltet: Richten Sie beides unter ${accountUrl}#profile wieder ein.`,
      `Verbundene Apps bleiben verbunden und können weiterhin Zahlungen aus Ihrer Geldbörse abbuchen. Bei Ihrer nächsten Anmeldung dort bitten sie erneut um Ihre Zustimmung. Um alle Apps in einem Schritt zu trennen, melden Sie sich unter ${accountUrl}#apps an.`,
      'Wenn Sie das nicht waren, kann jemand anderes Ihre E-Mails lesen. Sichern Sie zuerst Ihr Postfach.',
      wasntMe(warningLink),
    ),

  passwordChanged: (warningLink) =>
    write(
      'Das Passwort Ihrer Geldbörse wurde geändert',
      'Ihr Konto hat ein neues Passwort. Sie wurden überall sonst abgemeldet.',
      wasntMe(warningLink),
    ),

  passkeyAdded: (name, warningLink) =>
    write(
      'Ein Passkey wurde zu Ihrer Geldbörse hinzugefügt',
      `Sie können sich jetzt mit diesem Passkey bei Ihrem Konto anmelden: ${name}.`,
      wasntMe(warningLink),
    ),

  passkeyRemoved: (name, warningLink) =>
    write(
      'Ein Passkey wurde von Ihrer Geldbörse entfernt',
      `Mit diesem Passkey kann man sich nicht mehr bei Ihrem Konto anmelden: ${name}. Mit Ihrem Passwort können Sie sich weiterhin anmelden.`,
      wasntMe(warningLink),
    ),

  passkeyCopied: (name, warningLink) =>
    write(
      'Eine Kopie Ihres Passkeys wurde verwendet',
      `Jemand hat versucht, sich mit einer Kopie dieses Passkeys bei Ihrem Konto anzumelden: ${name}. Wir haben die Anmeldung abgelehnt.`,
      'Entfernen Sie diesen Passkey in Ihrem Konto, und fügen Sie dann auf einem Gerät, das nur Sie verwenden, einen neuen hinzu.',
      wasntMe(warningLink),
    ),

  appLinked: (app, warningLink) =>
    write(
      'Eine App wurde mit Ihrer Geldbörse verbunden',
      `${app ?? 'Eine App'} wurde mit Ihrer Geldbörse verbunden. Die App kann Ihr Guthaben sehen und Ihre Geldbörse belasten.`,
      wasntMe(warningLink),
    ),

  appUnlinked: (app, warningLink) =>
    write(
      'Eine App wurde von Ihrer Geldbörse getrennt',
      `${app} wurde von Ihrer Geldbörse getrennt. Die App kann Ihr Guthaben nicht mehr sehen und Ihre Geldbörse nicht mehr belasten.`,
      wasntMe(warningLink),
    ),

  allAppsUnlinked: (warningLink) =>
    write(
      'Alle Apps wurden von Ihrer Geldbörse getrennt',
      'Alle Apps wurden von Ihrer Geldbörse getrennt. Sie können Ihr Guthaben nicht mehr sehen und Ihre Geldbörse nicht mehr belasten.',
      wasntMe(warningLink),
    ),

  newLogIn: (device, warningLink) =>
    write(
      'Neue Anmeldung bei Ihrem Konto',
      `Jemand hat sich mit einem Browser, den Sie bisher nicht verwendet haben, bei Ihrem Konto angemeldet: ${nameDevice(device)}.`,
      wasntMe(warningLink),
    ),

  automaticTopupSuspended: (reason, accountUrl) => {
    const why = {
      authentication: `Ihre Bank möchte, dass Sie die Zahlung selbst bestätigen. Es wurde nichts abgebucht. Laden Sie unter ${accountUrl} mit dieser Karte auf und bestätigen Sie die Zahlung bei Ihrer Bank, oder wählen Sie eine andere Karte.`,
      failures:
        'Ihre Bank hat die Karte mehrmals hintereinander abgelehnt. Es wurde nichts abgebucht.',
      card: 'Die Karte ist nicht mehr gespeichert. Es wurde nichts abgebucht.',
    }
    return write(
      'Die automatische Aufladung Ihrer Geldbörse ist ausgesetzt',
      `Wir konnten Ihre Geldbörse nicht automatisch aufladen, deshalb ist die automatische Aufladung ausgesetzt. ${why[reason]}`,
      `Um sie wieder zu nutzen, prüfen Sie die Einstellungen unter ${accountUrl}#profile und speichern Sie sie.\n`,
    )
  },

  automaticTopupOn: (terms, warningLink) =>
    write(
      'Die automatische Aufladung Ihrer Geldbörse ist an',
      'Die automatische Aufladung wurde für Ihre Geldbörse eingeschaltet:',
      terms,
      wasntMe(warningLink),
    ),

  spendLimitRaised: (app, accountUrl, warningLink) =>
    write(
      'Ein Limit einer App wurde erhöht oder entfernt',
      `Ein Limit von ${app} wurde erhöht oder entfernt. Die App kann Ihre Geldbörse jetzt mit mehr belasten als vorher. Ihre Limits finden Sie unter ${accountUrl}#apps.`,
      wasntMe(warningLink),
    ),

  topupReceipt: ({ amount, paidAt, paymentId }, accountUrl) =>
    write(
      'Quittung: Geld wurde aufgeladen',
      `${amount} wurden per Karte auf Ihre Geldbörse geladen.`,
      `Zeit: ${paidAt}\nZahlung: ${paymentId}`,
      `Ihren Verlauf finden Sie unter ${accountUrl}#history. Wenn Sie keine Quittungen mehr möchten, ändern Sie die Einstellung unter ${accountUrl}#profile.\n`,
    ),

  largePayments: (payments, more, accountUrl) =>
    write(
      'Große Zahlung aus Ihrer Geldbörse',
      'Sie möchten eine E-Mail über Zahlungen in dieser Höhe:',
      ...payments.map(
        ({ app, amount, paidAt, description }) =>
          `${amount} an ${app}\nZeit: ${paidAt}${description ? `\nBeschreibung: ${description}` : ''}`,
      ),
      ...(more > 0 ? [`Anzahl weiterer Zahlungen: ${more}`] : []),
      `Alle Zahlungen finden Sie unter ${accountUrl}#history. Wenn Sie eine Zahlung nicht kennen, trennen Sie die App unter ${accountUrl}#apps. Wenn Sie diese E-Mails ändern oder nicht mehr erhalten möchten, öffnen Sie ${accountUrl}#profile.\n`,
    ),

  lowBalance: ({ balance, threshold }, accountUrl) =>
    write(
      'Das Guthaben Ihrer Geldbörse ist niedrig',
      `Ihr Guthaben ist unter ${threshold} gefallen. Es beträgt jetzt ${balance}.`,
      `Unter ${accountUrl} können Sie Geld aufladen. Wenn Sie diese E-Mails ändern oder nicht mehr erhalten möchten, öffnen Sie ${accountUrl}#profile.\n`,
    ),

  emailChanged: (undoLink) =>
    write(
      'Die E-Mail-Adresse Ihrer Geldbörse wurde geändert',
      'Ihr Konto hat eine neue E-Mail-Adresse. Mit dieser hier können Sie sich nicht mehr anmelden.',
      undoLink === undefined
        ? 'Wenn Sie das nicht waren, wenden Sie sich sofort an den Support.\n'
        : `Wenn Sie das nicht waren, öffnen Sie diesen Link:\n\n${undoLink}\n\nEr stellt diese Adresse wieder her, beendet alle Anmeldungen und setzt ein neues Passwort. Er gilt ${UNDO_LINK_DAYS} Tage und funktioniert einmal.\n`,
    ),

  emailRestored: (accountUrl) =>
    write(
      'Die Änderung Ihrer E-Mail-Adresse wurde rückgängig gemacht',
      'Die vorherige E-Mail-Adresse Ihres Kontos wurde mit dem Link, der an sie gesendet wurde, wiederhergestellt. Mit dieser hier können Sie sich nicht mehr anmelden, und alle Anmeldungen wurden beendet.',
      `Wenn das Ihr Konto war, melden Sie sich unter ${accountUrl} mit der vorherigen Adresse an. Wenn Sie auf jenes Postfach keinen Zugriff mehr haben, wenden Sie sich an den Support.\n`,
    ),
}
