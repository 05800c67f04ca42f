/** The texts about passkeys that the account page and the widget share. */
const en = {
  or: 'or',
  logIn: 'Log in with a passkey',
  invalid:
    'This passkey was not accepted: it timed out or was removed. Try again, or log in with your password.',
  cancelled:
    'No passkey was used: you canceled, it timed out, or no passkey matches. Try again, or log in with your password.',
  notCreated: 'No passkey was created: you canceled or it timed out. Try again.',
  known: 'One of your passkeys is already saved there. Choose another place for this one.',
  unable: 'This device cannot save passkeys that require unlocking. Choose another place.',
  failed: 'The browser could not use a passkey here. Use your password.',
}

export type PasskeyTexts = typeof en

const de: PasskeyTexts = {
  or: 'oder',
  logIn: 'Mit Passkey anmelden',
  invalid:
    'Dieser Passkey wurde nicht akzeptiert: Er ist abgelaufen oder wurde entfernt. Versuchen Sie es erneut oder melden Sie sich mit Ihrem Passwort an.',
  cancelled:
    'Es wurde kein Passkey verwendet: Sie haben abgebrochen, die Zeit ist abgelaufen, oder es gibt keinen passenden. Versuchen Sie es erneut oder melden Sie sich mit Ihrem Passwort an.',
  notCreated:
    'Es wurde kein Passkey erstellt: Sie haben abgebrochen, oder die Zeit ist abgelaufen. Versuchen Sie es erneut.',
  known: 'Dort ist schon einer Ihrer Passkeys gespeichert. Wählen Sie einen anderen Ort.',
  unable:
    'Dieses Gerät kann keine Passkeys speichern, die entsperrt werden müssen. Wählen Sie einen anderen Ort.',
  failed: 'Der Browser kann hier keinen Passkey verwenden. Verwenden Sie Ihr Passwort.',
}

export function choosePasskeyTexts({ lang }: { lang: string }): PasskeyTexts {
  return lang === 'de' ? de : en
}
