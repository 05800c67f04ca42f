/** The messages of the first screen after a link. Separate, because the wallet in a frame never shows this screen. */

const en = {
  title: 'Is this your wallet?',
  text: (app: string) =>
    `You opened a link to this wallet. Money that you add goes to its owner. If it is not yours, close this window and open your wallet in ${app}.`,
  submit: 'Yes, it is mine',
}

const de: typeof en = {
  title: 'Ist das Ihre Geldbörse?',
  text: (app) =>
    `Sie haben einen Link zu dieser Geldbörse geöffnet. Geld, das Sie aufladen, geht an ihren Besitzer. Falls es nicht Ihre ist, schließen Sie dieses Fenster und öffnen Sie Ihre Geldbörse in ${app}.`,
  submit: 'Ja, das ist meine',
}

const es: typeof en = {
  title: '¿Es este tu monedero?',
  text: (app) =>
    `Has abierto un enlace a este monedero. El dinero que añadas va a su titular. Si no es tuyo, cierra esta ventana y abre tu monedero en ${app}.`,
  submit: 'Sí, es mío',
}

const MESSAGES: Record<string, typeof en> = { de, es }

export function chooseConfirmOwnerMessages(lang: string): typeof en {
  return MESSAGES[lang] ?? en
}
