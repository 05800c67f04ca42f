/** The messages of the top-up that differ at /account, where no client app is involved. */
import type { TopupMessages } from '../../widget/topup/messages-en.ts'
import {
  chooseSavedCardMessages,
  type SavedCardMessages,
} from '../../widget/topup/saved/messages.ts'

/** Whether the card that the person enters is saved. */
interface SaveMessages {
  save: string
  saveHint: string
}

export type OwnCardMessages = SavedCardMessages & SaveMessages

interface OwnMessages {
  cards: SaveMessages
  pageTitle: string
  account: string
  back: string
  safe: string
  unpaid: string
  endedTitle: string
  ended: string
  unavailable: string
  notFound: string
}

const EN: OwnMessages = {
  pageTitle: 'Add money · Your wallet',
  account: 'Your account',
  back: 'Back to your account',
  safe: 'Your card details go to the payment provider only. We never see them.',
  unpaid: 'Nothing was charged. To add money to your wallet, start again from your account.',
  endedTitle: 'You are logged out',
  ended: 'Nothing was charged. Go back to your account, log in, and add money again.',
  unavailable: 'Card payments are not available at the moment. Try again later.',
  notFound: 'Go back to your account and add money again.',
  cards: {
    save: 'Save this card for next time',
    saveHint:
      'The payment provider stores it. Only you can use it, after you log in or enter your password.',
  },
}

const DE: OwnMessages = {
  pageTitle: 'Geld aufladen · Ihre Geldbörse',
  account: 'Ihr Konto',
  back: 'Zurück zu Ihrem Konto',
  safe: 'Ihre Kartendaten gehen nur an den Zahlungsanbieter. Wir sehen sie nie.',
  unpaid: 'Es wurde nichts abgebucht. Um Geld aufzuladen, beginnen Sie in Ihrem Konto noch einmal.',
  endedTitle: 'Sie sind abgemeldet',
  ended:
    'Es wurde nichts abgebucht. Gehen Sie zurück zu Ihrem Konto, melden Sie sich an und laden Sie erneut auf.',
  unavailable: 'Kartenzahlungen sind im Moment nicht möglich. Versuchen Sie es später noch einmal.',
  notFound: 'Gehen Sie zurück zu Ihrem Konto und laden Sie erneut auf.',
  cards: {
    save: 'Diese Karte für das nächste Mal speichern',
    saveHint:
      'Der Zahlungsanbieter speichert sie. Nur Sie können sie verwenden, nachdem Sie sich angemeldet oder Ihr Passwort eingegeben haben.',
  },
}

const ES: OwnMessages = {
  pageTitle: 'Añadir dinero · Tu monedero',
  account: 'Tu cuenta',
  back: 'Volver a tu cuenta',
  safe: 'Los datos de tu tarjeta van solo al proveedor de pagos. Nosotros nunca los vemos.',
  unpaid:
    'No se ha cobrado nada. Para añadir dinero a tu monedero, empieza de nuevo desde tu cuenta.',
  endedTitle: 'Has cerrado la sesión',
  ended: 'No se ha cobrado nada. Vuelve a tu cuenta, inicia sesión y añade dinero de nuevo.',
  unavailable: 'Los pagos con tarjeta no están disponibles en este momento. Inténtalo más tarde.',
  notFound: 'Vuelve a tu cuenta y añade dinero de nuevo.',
  cards: {
    save: 'Guardar esta tarjeta para la próxima vez',
    saveHint:
      'La guarda el proveedor de pagos. Solo tú puedes usarla, después de iniciar sesión o de introducir tu contraseña.',
  },
}

const MESSAGES: Record<string, OwnMessages> = { de: DE, es: ES }

/** `account`: the text of the link to /account. */
export function adaptMessages(
  lang: string,
  messages: TopupMessages,
): TopupMessages & { account: string; cards: OwnCardMessages } {
  const own = MESSAGES[lang] ?? EN
  return {
    ...messages,
    account: own.account,
    cards: { ...chooseSavedCardMessages(lang), ...own.cards },
    pageTitle: () => own.pageTitle,
    card: { ...messages.card, safe: () => own.safe },
    result: { ...messages.result, toWallet: own.back },
    other: { ...messages.other, unpaid: () => own.unpaid },
    problem: {
      ...messages.problem,
      endedTitle: own.endedTitle,
      ended: () => own.ended,
      unavailable: () => own.unavailable,
      notFound: () => own.notFound,
    },
  }
}
