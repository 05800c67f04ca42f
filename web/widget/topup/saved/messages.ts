/** The messages about saved cards, at /account and in the widget. */

const EN = {
  payWith: 'Pay with',
  newCard: 'Another card',
  payTitle: 'Pay with your saved card',
  bankMayAsk: 'Your bank may ask you to confirm.',
  change: 'Change the amount or the card',
  named: (brand: string, last4: string) => `${brand} ending in ${last4}`,
  expires: (month: string) => `Expires ${month}`,
  password: {
    title: 'Pay with a saved card',
    lead: 'Enter the password of your wallet to see your saved cards.',
    password: 'Password',
    show: 'Show password',
    missing: 'Enter your password.',
    submit: 'Show my cards',
    cancel: 'Use another card',
    wrong: 'The password is wrong. Check it and try again.',
    limited: 'There were too many attempts. Wait a minute, or use another card.',
    failed: 'Your saved cards are not available at the moment. Try again, or use another card.',
    none: 'You have no saved cards. You can save one when you add money on your account page.',
    again: 'The payment did not start. Enter your password again to use a saved card.',
  },
}

export type SavedCardMessages = typeof EN

const DE: SavedCardMessages = {
  payWith: 'Bezahlen mit',
  newCard: 'Andere Karte',
  payTitle: 'Mit gespeicherter Karte bezahlen',
  bankMayAsk: 'Ihre Bank fragt Sie vielleicht nach einer Bestätigung.',
  change: 'Betrag oder Karte ändern',
  named: (brand, last4) => `${brand} mit den Endziffern ${last4}`,
  expires: (month) => `Gültig bis ${month}`,
  password: {
    title: 'Mit gespeicherter Karte bezahlen',
    lead: 'Geben Sie das Passwort Ihrer Geldbörse ein, um Ihre gespeicherten Karten zu sehen.',
    password: 'Passwort',
    show: 'Passwort anzeigen',
    missing: 'Geben Sie Ihr Passwort ein.',
    submit: 'Meine Karten anzeigen',
    cancel: 'Andere Karte verwenden',
    wrong: 'Das Passwort ist falsch. Prüfen Sie es und versuchen Sie es noch einmal.',
    limited:
      'Es gab zu viele Versuche. Warten Sie eine Minute oder verwenden Sie eine andere Karte.',
    failed:
      'Ihre gespeicherten Karten sind im Moment nicht verfügbar. Versuchen Sie es noch einmal oder verwenden Sie eine andere Karte.',
    none: 'Sie haben keine gespeicherten Karten. Wenn Sie auf Ihrer Kontoseite Geld aufladen, können Sie eine speichern.',
    again:
      'Die Zahlung wurde nicht begonnen. Geben Sie Ihr Passwort noch einmal ein, um eine gespeicherte Karte zu verwenden.',
  },
}

const ES: SavedCardMessages = {
  payWith: 'Pagar con',
  newCard: 'Otra tarjeta',
  payTitle: 'Pagar con tu tarjeta guardada',
  bankMayAsk: 'Es posible que tu banco te pida una confirmación.',
  change: 'Cambiar el importe o la tarjeta',
  named: (brand, last4) => `${brand} terminada en ${last4}`,
  expires: (month) => `Caduca ${month}`,
  password: {
    title: 'Pagar con una tarjeta guardada',
    lead: 'Introduce la contraseña de tu monedero para ver tus tarjetas guardadas.',
    password: 'Contraseña',
    show: 'Mostrar la contraseña',
    missing: 'Introduce tu contraseña.',
    submit: 'Ver mis tarjetas',
    cancel: 'Usar otra tarjeta',
    wrong: 'La contraseña no es correcta. Revísala e inténtalo de nuevo.',
    limited: 'Ha habido demasiados intentos. Espera un minuto o usa otra tarjeta.',
    failed:
      'Tus tarjetas guardadas no están disponibles en este momento. Inténtalo de nuevo o usa otra tarjeta.',
    none: 'No tienes tarjetas guardadas. Puedes guardar una cuando añadas dinero desde la página de tu cuenta.',
    again:
      'El pago no ha empezado. Introduce tu contraseña otra vez para usar una tarjeta guardada.',
  },
}

const MESSAGES: Record<string, SavedCardMessages> = { de: DE, es: ES }

export function chooseSavedCardMessages(lang: string): SavedCardMessages {
  return MESSAGES[lang] ?? EN
}
