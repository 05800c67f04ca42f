import type { sharedErrorsEn } from './error-messages-en.ts'
import type { SharedMessages } from './messages-en.ts'

function countSeconds(seconds: number): string {
  if (seconds > 120) return `${Math.ceil(seconds / 60)} minutos`
  return seconds === 1 ? '1 segundo' : `${seconds} segundos`
}

export const sharedErrorsEs: typeof sharedErrorsEn = {
  LOGIN_FAILED:
    'El correo o la contraseña no son correctos. Revisa ambos datos e inténtalo de nuevo.',
  CODE_INVALID: 'El código no es correcto o ha caducado. Revísalo o pide uno nuevo.',
  PASSWORD_REFUSED:
    'Esta contraseña es demasiado fácil de adivinar. Elige una más larga que no sea de uso común y que no contenga la parte de tu correo que está antes de la @.',
  INVALID_REQUEST: 'Hay un dato no válido en este formulario. Revísalo e inténtalo de nuevo.',
  ORIGIN_NOT_ALLOWED: 'Esta página no puede hacer eso. Recárgala e inténtalo de nuevo.',
  PAYLOAD_TOO_LARGE: 'El texto es demasiado largo. Acórtalo e inténtalo de nuevo.',
}

export const sharedEs: SharedMessages = {
  lang: 'es',
  testMode: 'Modo de prueba. No se mueve dinero real.',
  fields: {
    firstName: 'Nombre',
    lastName: 'Apellidos',
    email: 'Correo electrónico',
    password: 'Contraseña',
    newPassword: 'Nueva contraseña',
    code: 'Código',
    showPassword: 'Mostrar la contraseña',
  },
  passwordHint: (min) => `Al menos ${min} caracteres.`,
  passwordMissing: (left) => (left === 1 ? 'Falta 1 carácter.' : `Faltan ${left} caracteres.`),
  passwordLongEnough: 'Longitud suficiente.',
  passwordTooShort: (min) => `Usa al menos ${min} caracteres.`,
  fieldErrors: {
    firstName: 'Escribe tu nombre.',
    lastName: 'Escribe tus apellidos.',
    email: 'Escribe un correo como name@example.com.',
    password: 'Escribe tu contraseña.',
    code: 'Escribe los 6 dígitos del correo.',
  },
  refused: {
    firstName: 'Usa como máximo 80 caracteres.',
    lastName: 'Usa como máximo 80 caracteres.',
    password: 'Usa como máximo 128 caracteres.',
  },
  forgot: {
    title: 'Restablecer la contraseña',
    lead: 'Escribe el correo de tu cuenta. Te enviaremos un enlace.',
    submit: 'Enviar enlace',
  },
  linkSent:
    'Si esta cuenta existe, te hemos enviado un enlace. Crea allí una contraseña nueva y después inicia sesión.',
  resend: {
    submit: 'Enviar otro código',
    sent: 'Hemos enviado otro código. Los anteriores ya no sirven.',
    spam: 'Puede tardar un minuto. Mira también en la carpeta de spam.',
  },
  backToLogIn: 'Volver a iniciar sesión',
  frozen: 'Los pagos y las recargas están bloqueados. El dinero que llegue se abona igualmente.',
  contactSupport: 'Contacta con el servicio de ayuda.',
  contactSupportAt: 'Contacta con el servicio de ayuda:',
  failedText: 'Algo ha fallado en nuestro lado. Tu dinero está a salvo. Inténtalo en un momento.',
  offline: 'No hay respuesta. Revisa tu conexión e inténtalo de nuevo.',
  unexpected: 'Algo ha fallado en nuestro lado. Inténtalo de nuevo en un momento.',
  rateLimited: (seconds) =>
    `Demasiados intentos. Inténtalo de nuevo dentro de ${countSeconds(seconds)}.`,
}
