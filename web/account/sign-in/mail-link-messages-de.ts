import type { MailLinkMessages } from './mail-link-messages-en.ts'

export const mailLinksDe: MailLinkMessages = {
  reset: {
    title: 'Neues Passwort wählen',
    lead: 'Sie werden überall sonst abgemeldet, Passkeys werden entfernt, und die automatische Aufladung wird ausgeschaltet.',
    submit: 'Speichern und anmelden',
    invalid: 'Dieser Link ist abgelaufen oder wurde bereits verwendet. Fordern Sie einen neuen an.',
    again: 'Neuen Link anfordern',
  },
  undo: {
    title: 'E-Mail-Adresse wiederherstellen',
    lead: 'Wählen Sie ein neues Passwort. Danach melden Sie sich wieder mit dieser Adresse an, sind überall sonst abgemeldet, Passkeys werden entfernt, und die automatische Aufladung wird ausgeschaltet.',
    submit: 'Wiederherstellen und anmelden',
    invalid:
      'Dieser Link ist abgelaufen oder wurde bereits verwendet. Wenn Sie sich nicht anmelden können, wenden Sie sich an den Support.',
    taken:
      'Ein anderes Konto verwendet diese Adresse inzwischen, deshalb kann sie nicht wiederhergestellt werden. Löschen Sie zuerst jenes Konto und öffnen Sie dann diesen Link erneut.',
    again: 'Stattdessen das Passwort zurücksetzen',
  },
  secure: {
    title: 'Das waren nicht Sie?',
    text: 'Wenn Sie fortfahren, enden alle Anmeldungen, alle Apps werden getrennt, die automatische Aufladung wird ausgeschaltet, und Ihre Passkeys und Ihr Passwort gelten nicht mehr. Ihr Geld und Ihr Verlauf bleiben erhalten. Danach setzen Sie per E-Mail ein neues Passwort.',
    submit: 'Mein Konto sichern',
    onlyPassword: 'Nur ein neues Passwort setzen',
    invalid:
      'Dieser Link ist abgelaufen oder wurde bereits verwendet. Wenn Sie glauben, dass jemand anderes Ihr Konto nutzt, setzen Sie ein neues Passwort.',
    doneTitle: 'Ihr Konto ist gesichert',
    done: 'Alle Anmeldungen sind beendet, und keine App kann Ihre Geldbörse belasten. Setzen Sie ein neues Passwort, um Ihr Konto wieder zu nutzen.',
    newPassword: 'Neues Passwort setzen',
  },
}
