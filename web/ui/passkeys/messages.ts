/** The messages about passkeys that the account page and the widget share. */
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

export type PasskeyMessages = typeof en

const de: PasskeyMessages = {
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

const es: PasskeyMessages = {
  or: 'o',
  logIn: 'Iniciar sesión con una llave de acceso',
  invalid:
    'Esta llave de acceso no se ha aceptado: el tiempo se ha agotado o la llave se ha eliminado. Inténtalo de nuevo o inicia sesión con tu contraseña.',
  cancelled:
    'No se ha usado ninguna llave de acceso: has cancelado, el tiempo se ha agotado o ninguna coincide. Inténtalo de nuevo o inicia sesión con tu contraseña.',
  notCreated:
    'No se ha creado ninguna llave de acceso: has cancelado o el tiempo se ha agotado. Inténtalo de nuevo.',
  known: 'Una de tus llaves de acceso ya está guardada ahí. Elige otro lugar para esta.',
  unable:
    'Este dispositivo no puede guardar llaves de acceso que haya que desbloquear. Elige otro lugar.',
  failed: 'El navegador no puede usar una llave de acceso aquí. Usa tu contraseña.',
}

const MESSAGES: Record<string, PasskeyMessages> = { de, es }

export function choosePasskeyMessages({ lang }: { lang: string }): PasskeyMessages {
  return MESSAGES[lang] ?? en
}
