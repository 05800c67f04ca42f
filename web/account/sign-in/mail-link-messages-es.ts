import type { MailLinkMessages } from './mail-link-messages-en.ts'

export const mailLinksEs: MailLinkMessages = {
  reset: {
    title: 'Elige una contraseña nueva',
    lead: 'Se cerrará tu sesión en todos los demás dispositivos, se eliminarán las llaves de acceso y se desactivará la recarga automática.',
    submit: 'Guardar e iniciar sesión',
    invalid: 'Este enlace ha caducado o ya se ha usado. Pide uno nuevo.',
    again: 'Pedir un enlace nuevo',
  },
  undo: {
    title: 'Recupera tu correo',
    lead: 'Elige una contraseña nueva. Después volverás a iniciar sesión con este correo, tu sesión se cerrará en todos los demás dispositivos, se eliminarán las llaves de acceso y se desactivará la recarga automática.',
    submit: 'Recuperar e iniciar sesión',
    invalid:
      'Este enlace ha caducado o ya se ha usado. Si no puedes iniciar sesión, contacta con el servicio de ayuda.',
    taken:
      'Otra cuenta usa ahora este correo, así que no se puede recuperar. Elimina primero esa cuenta y abre de nuevo este enlace.',
    again: 'Restablecer la contraseña',
  },
  secure: {
    title: '¿No has sido tú?',
    text: 'Si continúas, se cierran todas las sesiones, se desconectan todas las apps, se desactiva la recarga automática y tus llaves de acceso y tu contraseña dejan de funcionar. Tu dinero y tus movimientos se conservan. Después creas una contraseña nueva por correo.',
    submit: 'Proteger mi cuenta',
    onlyPassword: 'Solo crear una contraseña nueva',
    invalid:
      'Este enlace ha caducado o ya se ha usado. Si crees que otra persona usa tu cuenta, crea una contraseña nueva.',
    doneTitle: 'Tu cuenta está protegida',
    done: 'Todas las sesiones han terminado y ninguna app puede cobrar de tu monedero. Crea una contraseña nueva para volver a usar tu cuenta.',
    newPassword: 'Crear una contraseña nueva',
  },
}
