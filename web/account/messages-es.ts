import { sharedErrorsEs, sharedEs } from '../ui/messages-es.ts'
import { limitsEs } from './apps/limit-messages-es.ts'
import { mailLinksEs } from './sign-in/mail-link-messages-es.ts'
import { cardsEs } from './profile/card-messages-es.ts'
import { statementEs } from './statement/messages-es.ts'
import { passkeysEs } from './profile/passkey-messages-es.ts'
import { historyEs } from './history/messages-es.ts'
import type { Messages } from './messages-en.ts'

const errors: Messages['errors'] = {
  ...sharedErrorsEs,
  EMAIL_TAKEN: 'Otra cuenta usa este correo. Usa uno diferente.',
  SERVICE_UNAVAILABLE:
    'El servicio está ocupado. No se ha cambiado nada. Inténtalo de nuevo en un momento.',
  OUTCOME_UNKNOWN:
    'Está tardando más de lo habitual. Recarga la página dentro de un minuto para ver si ya está hecho.',
  ACCOUNT_NOT_EMPTY:
    'Tu cuenta aún tiene saldo, un importe reservado o una deuda, así que no se ha eliminado. Resuélvelo primero.',
}

export const es: Messages = {
  ...sharedEs,
  brand: 'Monedero',
  pageTitle: (section) => `${section} · Tu monedero`,
  loading: 'Cargando …',
  retry: 'Intentar de nuevo',
  cancel: 'Cancelar',
  save: 'Guardar',
  saved: 'Guardado.',
  logOut: 'Cerrar sesión',
  skip: 'Saltar al contenido',
  copy: {
    idle: 'Copiar',
    copied: 'Copiado',
    failed: 'No se ha copiado',
    named: (what) => `Copiar: ${what}`,
  },
  nav: {
    label: 'Tu cuenta',
    overview: 'Resumen',
    history: 'Movimientos',
    apps: 'Apps conectadas',
    appsShort: 'Apps',
    profile: 'Perfil y seguridad',
    profileShort: 'Perfil',
  },

  fields: {
    ...sharedEs.fields,
    newEmail: 'Nuevo correo',
    currentPassword: 'Contraseña actual',
  },
  refused: { ...sharedEs.refused, newPassword: sharedEs.refused.password },
  passwordWrong: 'Esta no es tu contraseña. Revísala e inténtalo de nuevo.',

  logIn: {
    title: 'Inicia sesión en tu cuenta',
    lead: 'Consulta tu saldo y tus movimientos, y decide qué apps pueden usar tu monedero.',
    submit: 'Iniciar sesión',
    forgot: '¿Has olvidado la contraseña?',
    other: '¿Aún no tienes monedero?',
    signUp: 'Crear una cuenta',
    loggedOut: 'Has cerrado la sesión.',
    expired: 'Para proteger tu cuenta, hemos cerrado tu sesión. Iníciala de nuevo para continuar.',
    notKept:
      'Tu navegador no ha guardado el inicio de sesión. Permite las cookies en esta página. Safari solo las guarda con https.',
  },
  signUp: {
    title: 'Crea tu monedero',
    lead: 'Se tarda un minuto. Las apps solo pueden usar tu monedero después de que las conectes.',
    submit: 'Crear cuenta',
    taken: 'Ya existe una cuenta con este correo.',
    instead: 'Iniciar sesión',
    other: '¿Ya tienes un monedero?',
    logIn: 'Iniciar sesión',
  },
  verify: {
    title: 'Mira tu correo',
    lead: 'Hemos enviado un código de 6 dígitos a',
    submit: 'Confirmar',
  },
  ...mailLinksEs,
  passkeys: passkeysEs,
  cards: cardsEs,
  overview: {
    greeting: (firstName) => `Hola, ${firstName}`,
    balance: 'Saldo',
    addMoney: 'Añadir dinero',
    debtTitle: (debt) => `Debes ${debt}.`,
    held: (held) => `Las apps tienen reservados otros ${held}.`,
    debt: 'Tu banco ha revertido un pago con tarjeta. Tu próxima recarga paga primero esta deuda.',
    frozenTitle: 'Tu monedero está bloqueado.',
    frozen: sharedEs.frozen,
    recent: 'Actividad reciente',
    all: 'Ver todo',
    appsTitle: 'Apps conectadas',
    apps: (count) =>
      count === 1
        ? '1 app puede cobrar de tu monedero.'
        : `${count} apps pueden cobrar de tu monedero.`,
    noApps: 'Ninguna app puede cobrar de tu monedero.',
    manage: 'Gestionar',
  },

  history: historyEs,
  statement: statementEs,

  apps: {
    title: 'Apps conectadas',
    lead: 'Estas apps pueden ver tu saldo y cobrar de tu monedero. Una app no puede ver qué haces en otras apps.',
    since: (date) => `Conectada el ${date}`,
    unlink: 'Desconectar',
    unlinkNamed: (app) => `Desconectar ${app}`,
    emptyTitle: 'No hay apps conectadas',
    empty: 'Las apps aparecen aquí después de que inicies sesión en tu monedero desde ellas.',
    dialogTitle: (app) => `¿Desconectar ${app}?`,
    dialog: (app) =>
      `${app} ya no podrá ver tu saldo ni cobrar de tu monedero. Conservas tu dinero y tus movimientos.`,
    dialogAgain: 'Si la conectas de nuevo más adelante, la app te tratará como a un usuario nuevo.',
    unlinked: (app) => `${app} está desconectada.`,
    unlinkAll: 'Desconectar todas las apps',
    allTitle: '¿Desconectar todas las apps?',
    all: 'Ninguna app podrá ver tu saldo ni cobrar de tu monedero. Conservas tu dinero y tus movimientos.',
    allUnlinked: 'Todas las apps están desconectadas.',
  },
  limits: limitsEs,

  profile: {
    title: 'Perfil y seguridad',
    name: 'Nombre',
    nameHint: 'Se muestra en tu monedero dentro de las apps conectadas.',
    email: 'Correo electrónico',
    emailHint:
      'Inicias sesión con este correo, y allí te avisamos cuando algo cambia en tu cuenta.',
    emailNow: (email) => `Tu correo es ${email}.`,
    emailSubmit: 'Cambiar el correo',
    emailSent: 'Hemos enviado un código de 6 dígitos a',
    emailSpam:
      'Puede tardar un minuto. Si no llega ningún correo, revisa la dirección y empieza de nuevo.',
    emailConfirm: 'Confirmar',
    emailAgain: 'Empezar de nuevo',
    emailChanged: (email) => `Tu correo es ahora ${email}.`,
    password: 'Contraseña',
    passwordHint: 'Al cambiar la contraseña, se cierra tu sesión en todos los demás dispositivos.',
    passwordSubmit: 'Cambiar la contraseña',
    passwordChanged:
      'Tu contraseña ha cambiado. Se ha cerrado tu sesión en todos los demás dispositivos.',
    logIns: 'Dispositivos',
    logInsHint:
      'Los dispositivos donde has iniciado sesión. Cierra la sesión en los que no reconozcas y después cambia tu contraseña.',
    thisDevice: 'Este dispositivo',
    lastSeen: (date) => `Última actividad: ${date}`,
    end: 'Cerrar sesión',
    endNamed: (device) => `Cerrar sesión en ${device}`,
    ended: (device) => `Se ha cerrado la sesión en ${device}.`,
    device: (device) =>
      device === 'Unknown device' ? 'Dispositivo desconocido' : device.replace(' on ', ' en '),
    emails: 'Correos',
    emailsHint:
      'Siempre te avisamos de nuevos inicios de sesión, apps conectadas, llaves de acceso y cambios de correo o contraseña.',
    receipts: 'Enviarme un recibo cuando se añada dinero',
    paymentMin: (currency) => `Enviarme un correo por pagos desde (${currency})`,
    balanceMin: (currency) => `Enviarme un correo si mi saldo baja de (${currency})`,
    alertHint: 'Déjalo vacío si no quieres correos.',
    alertError: 'Escribe un importe como 20 o 19,99, o deja el campo vacío.',
    data: 'Tus datos',
    dataHint: 'Tu cuenta, ajustes, apps, dispositivos, recargas y movimientos en un archivo.',
    dataDownload: 'Descargar como JSON',
    delete: 'Eliminar la cuenta',
    deleteHint:
      'Borra para siempre tu nombre, tu correo y las apps conectadas. Los registros contables se conservan sin tu nombre.',
    deleteNotEmpty: (balance) => `Tienes ${balance}. Gástalo antes de eliminar tu cuenta.`,
    deleteHeld: (held) =>
      `Las apps tienen reservados ${held}. Espera a que los cobren o los devuelvan antes de eliminar tu cuenta.`,
    deleteIndebted: (debt) => `Debes ${debt}. Págalo antes de eliminar tu cuenta.`,
    deleteOpen: 'Eliminar la cuenta …',
    deleteTitle: '¿Eliminar tu cuenta?',
    deleteText:
      'Se desconectarán todas las apps y ya no podrás iniciar sesión. Esto no se puede deshacer.',
    deleteWait: 'Tarda unos segundos mientras terminan los pagos pendientes.',
    deleteSubmit: 'Eliminar para siempre',
    deletedTitle: 'Tu cuenta se ha eliminado',
    deleted:
      'Tus datos personales se han borrado y todas las apps se han desconectado. Puedes cerrar esta ventana.',
  },

  display: {
    language: 'Idioma',
    languageHint: 'De estas páginas y de nuestros correos.',
    languageField: 'Tu idioma',
    asBrowser: 'El del navegador',
    theme: 'Apariencia',
    themeHint: 'Solo en este navegador.',
    themeField: 'Colores',
    themes: { auto: 'Como en el sistema', light: 'Claro', dark: 'Oscuro' },
  },

  failed: {
    offlineTitle: 'No tienes conexión',
    offline: 'No podemos acceder a tu cuenta. Revisa tu conexión e inténtalo de nuevo.',
    title: 'Tu cuenta no se ha cargado',
    text: sharedEs.failedText,
  },
  errors,
}
