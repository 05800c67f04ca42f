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
    return 'Si no has sido tú, restablece tu contraseña ahora.\n'
  }
  return `¿No has sido tú? Abre este enlace:\n\n${warningLink}\n\nDespués de tu confirmación, cierra todas las sesiones, desconecta todas las apps, elimina todas las llaves de acceso, desactiva la recarga automática y desactiva tu contraseña. Es válido durante ${WARNING_LINK_DAYS} días y funciona una sola vez.\n`
}

function nameDevice(device: string): string {
  return device === 'Unknown device' ? 'Dispositivo desconocido' : device.replace(' on ', ' en ')
}

function write(subject: string, ...paragraphs: string[]): Mail {
  return { lang: 'es', subject, text: paragraphs.join('\n\n') }
}

export const mailsEs: PersonMails = {
  verificationCode: (code) =>
    write(
      'Confirma tu correo',
      'Escribe este código para confirmar tu correo:',
      code,
      `Es válido durante ${TICKET_MINUTES} minutos. Si no has sido tú, ignora este mensaje: sin el código no ocurre nada.\n`,
    ),

  resetLink: (url) =>
    write(
      'Crea una contraseña nueva para tu monedero',
      'Abre este enlace para crear una contraseña nueva para tu monedero:',
      url,
      `Es válido durante ${RESET_LINK_MINUTES} minutos y funciona una sola vez. Si no has sido tú, ignora este mensaje: tu contraseña sigue siendo la misma.\n`,
    ),

  alreadyRegistered: () =>
    write(
      'Ya tienes una cuenta',
      'Alguien, probablemente tú, ha intentado registrarse con este correo. Ya tienes una cuenta: inicia sesión o restablece allí tu contraseña.',
      'Si no has sido tú, no tienes que hacer nada.\n',
    ),

  passwordReset: (accountUrl, warningLink) =>
    write(
      'Se ha restablecido la contraseña de tu monedero',
      `Tu cuenta tiene una contraseña nueva. Se ha cerrado tu sesión en todos los demás dispositivos. Si tenías llaves de acceso, se han eliminado, y si la recarga automática estaba activada, se ha desactivado: configúralas de nuevo en ${accountUrl}#profile.`,
      `Las apps conectadas siguen conectadas y pueden seguir cobrando de tu monedero. Cuando vuelvas a iniciar sesión en ellas, pedirán tu consentimiento de nuevo. Para desconectar todas las apps a la vez, inicia sesión en ${accountUrl}#apps.`,
      'Si no has sido tú, otra persona puede leer tus correos. Protege primero tu buzón.',
      wasntMe(warningLink),
    ),

  passwordChanged: (warningLink) =>
    write(
      'Se ha cambiado la contraseña de tu monedero',
      'Tu cuenta tiene una contraseña nueva. Se ha cerrado tu sesión en todos los demás dispositivos.',
      wasntMe(warningLink),
    ),

  passkeyAdded: (name, warningLink) =>
    write(
      'Se ha añadido una llave de acceso a tu monedero',
      `Ahora puedes iniciar sesión en tu cuenta con esta llave de acceso: ${name}.`,
      wasntMe(warningLink),
    ),

  passkeyRemoved: (name, warningLink) =>
    write(
      'Se ha eliminado una llave de acceso de tu monedero',
      `Esta llave de acceso ya no permite iniciar sesión en tu cuenta: ${name}. Puedes seguir usando tu contraseña.`,
      wasntMe(warningLink),
    ),

  passkeyCopied: (name, warningLink) =>
    write(
      'Se ha usado una copia de tu llave de acceso',
      `Alguien ha intentado iniciar sesión en tu cuenta con una copia de esta llave de acceso: ${name}. Hemos rechazado el inicio de sesión.`,
      'Elimina esta llave de acceso en tu cuenta y añade una nueva en un dispositivo que solo uses tú.',
      wasntMe(warningLink),
    ),

  appLinked: (app, warningLink) =>
    write(
      'Se ha conectado una app a tu monedero',
      `${app ?? 'Una app'} se ha conectado a tu monedero. Puede ver tu saldo y cobrar de tu monedero.`,
      wasntMe(warningLink),
    ),

  appUnlinked: (app, warningLink) =>
    write(
      'Se ha desconectado una app de tu monedero',
      `${app} se ha desconectado de tu monedero. Ya no puede ver tu saldo ni cobrar de tu monedero.`,
      wasntMe(warningLink),
    ),

  allAppsUnlinked: (warningLink) =>
    write(
      'Se han desconectado todas las apps de tu monedero',
      'Se han desconectado todas las apps de tu monedero. Ya no pueden ver tu saldo ni cobrar de tu monedero.',
      wasntMe(warningLink),
    ),

  newLogIn: (device, warningLink) =>
    write(
      'Nuevo inicio de sesión en tu cuenta',
      `Alguien ha iniciado sesión en tu cuenta con un navegador que no habías usado antes: ${nameDevice(device)}.`,
      wasntMe(warningLink),
    ),

  automaticTopupSuspended: (reason, accountUrl) => {
    const why = {
      authentication: `Tu banco quiere que confirmes tú el pago. No se ha cobrado nada. Añade dinero en ${accountUrl} con esta tarjeta y confírmalo con tu banco, o elige otra tarjeta.`,
      failures: 'Tu banco ha rechazado la tarjeta varias veces seguidas. No se ha cobrado nada.',
      card: 'La tarjeta ya no está guardada. No se ha cobrado nada.',
    }
    return write(
      'La recarga automática de tu monedero está suspendida',
      `No hemos podido añadir dinero a tu monedero automáticamente, así que la recarga automática está suspendida. ${why[reason]}`,
      `Para usarla de nuevo, revisa los ajustes en ${accountUrl}#profile y guárdalos.\n`,
    )
  },

  automaticTopupOn: (terms, warningLink) =>
    write(
      'La recarga automática de tu monedero está activada',
      'Se ha activado la recarga automática de tu monedero:',
      terms,
      wasntMe(warningLink),
    ),

  spendLimitRaised: (app, accountUrl, warningLink) =>
    write(
      'Se ha aumentado o quitado un límite de una aplicación',
      `Se ha aumentado o quitado un límite de ${app}, así que puede cobrar de tu monedero más que antes. Tus límites están en ${accountUrl}#apps.`,
      wasntMe(warningLink),
    ),

  topupReceipt: ({ amount, paidAt, paymentId }, accountUrl) =>
    write(
      'Recibo: se ha añadido dinero a tu monedero',
      `Se han añadido ${amount} a tu monedero con tarjeta.`,
      `Hora: ${paidAt}\nPago: ${paymentId}`,
      `Tus movimientos están en ${accountUrl}#history. Si no quieres más recibos, cambia el ajuste en ${accountUrl}#profile.\n`,
    ),

  largePayments: (payments, more, accountUrl) =>
    write(
      'Pago grande con tu monedero',
      'Quieres un correo sobre los pagos de este importe:',
      ...payments.map(
        ({ app, amount, paidAt, description }) =>
          `${amount} a ${app}\nHora: ${paidAt}${description ? `\nDescripción: ${description}` : ''}`,
      ),
      ...(more > 0 ? [`Número de pagos adicionales: ${more}`] : []),
      `Todos los pagos están en ${accountUrl}#history. Si no reconoces un pago, desconecta la app en ${accountUrl}#apps. Para cambiar o desactivar estos correos, abre ${accountUrl}#profile.\n`,
    ),

  lowBalance: ({ balance, threshold }, accountUrl) =>
    write(
      'El saldo de tu monedero es bajo',
      `Tu saldo ha bajado de ${threshold}. Ahora es de ${balance}.`,
      `Puedes añadir dinero en ${accountUrl}. Para cambiar o desactivar estos correos, abre ${accountUrl}#profile.\n`,
    ),

  emailChanged: (undoLink) =>
    write(
      'Se ha cambiado el correo de tu monedero',
      'Tu cuenta tiene un correo nuevo. Ya no puedes iniciar sesión con este.',
      undoLink === undefined
        ? 'Si no has sido tú, contacta de inmediato con el servicio de ayuda.\n'
        : `Si no has sido tú, abre este enlace:\n\n${undoLink}\n\nRecupera este correo, cierra todas las sesiones y establece una contraseña nueva. Es válido durante ${UNDO_LINK_DAYS} días y funciona una sola vez.\n`,
    ),

  emailRestored: (accountUrl) =>
    write(
      'Se ha deshecho el cambio de tu correo',
      'El correo anterior de tu cuenta se ha recuperado con el enlace que se le envió. Ya no puedes iniciar sesión con este, y se han cerrado todas las sesiones.',
      `Si era tu cuenta, inicia sesión en ${accountUrl} con el correo anterior. Si ya no tienes acceso a ese buzón, contacta con el servicio de ayuda.\n`,
    ),
}
