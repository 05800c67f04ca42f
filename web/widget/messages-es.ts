import { sharedErrorsEs, sharedEs } from '../ui/messages-es.ts'
import type { Messages } from './messages-en.ts'

const errors: Messages['errors'] = {
  ...sharedErrorsEs,
  LOGIN_REQUIRED: 'Tu sesión ha caducado. Inicia sesión de nuevo para continuar.',
  EMAIL_TAKEN: 'Ya existe una cuenta con este correo.',
  SERVICE_UNAVAILABLE:
    'El monedero está ocupado. No se ha cambiado nada. Inténtalo de nuevo en un momento.',
  UNSUPPORTED_MEDIA_TYPE:
    'Tu navegador ha enviado una solicitud no válida. Recarga la página e inténtalo de nuevo.',
}

export const es: Messages = {
  ...sharedEs,
  pageTitle: (app) => `Tu monedero en ${app}`,
  loading: 'Tu monedero se está cargando.',
  provider: (service) => `Monedero de ${service}`,
  help: 'Ayuda',

  wallet: {
    greeting: (firstName) => `Hola, ${firstName}`,
    balance: 'Saldo',
    balanceChanged: (balance) => `Tu saldo es ahora de ${balance}.`,
    addMoney: 'Añadir dinero',
    topupAsked: (app) =>
      `${app} abre la recarga en una ventana nueva. Si no se abre, permite las ventanas emergentes e inténtalo de nuevo.`,
    spendable: (app, amount) => `${app} puede cobrar ahora hasta ${amount}.`,
    activity: 'Actividad reciente',
    emptyTitle: 'No hay movimientos recientes',
    empty: (app) => `Añade dinero. Tus pagos en ${app} aparecerán aquí.`,
    manageAccount: 'Gestionar la cuenta',
    opensWindow: '(abre una ventana nueva)',
    switchAccount: '¿No eres tú? Cambia de cuenta',
    switchAsked: (app) => `${app} está cambiando de cuenta. Si no ocurre nada, recarga la página.`,
    switchQuestion: (app) =>
      `Cierras la sesión de este monedero en ${app} y después inicias sesión con otra cuenta. Conservas tu dinero.`,
    switchConfirm: 'Cambiar de cuenta',
    switchCancel: 'Cancelar',
    frozenTitle: 'Este monedero está bloqueado.',
    frozen: sharedEs.frozen,
    offline: 'No tienes conexión. Puede que este saldo no esté actualizado hasta que vuelvas.',
    stale: 'No hemos podido actualizar tu monedero. Puede que este saldo no esté al día.',
    retry: 'Intentar de nuevo',
    received: 'Recibido',
    paid: 'Pagado',
    released: 'Liberado',
    sources: {
      this_app: 'Pago',
      other_app: 'Otra app',
      topup: 'Recarga',
      bonus: 'Bonificación',
      dispute: 'Disputa',
      correction: 'Corrección',
      hold: 'Reservado',
    },
  },

  failed: {
    offlineTitle: 'No tienes conexión',
    offline: 'No podemos acceder a tu monedero. Revisa tu conexión e inténtalo de nuevo.',
    title: 'Tu monedero no se ha cargado',
    text: sharedEs.failedText,
    busy: 'Demasiadas solicitudes a la vez. Lo intentaremos de nuevo en un momento.',
    endedTitle: 'Tu sesión ha terminado',
    ended: (app) =>
      `Para proteger tu monedero, las sesiones duran solo unos minutos. Recarga la página de ${app} para abrirlo de nuevo.`,
  },

  logIn: {
    title: 'Inicia sesión en tu monedero',
    lead: (app) => `Paga con él en ${app}.`,
    submit: 'Iniciar sesión',
    forgot: '¿Has olvidado la contraseña?',
    other: '¿Aún no tienes monedero?',
    signUp: 'Crear una cuenta',
    switched: (app) =>
      `Has cerrado la sesión de tu monedero en ${app}. Inicia sesión con otra cuenta.`,
    declined: (app) =>
      `No estás conectado. ${app} no puede ver tu monedero. Si cambias de opinión, inicia sesión de nuevo.`,
  },
  signUp: {
    title: 'Crea tu monedero',
    lead: (app) => `Se tarda un minuto. Después podrás pagar en ${app}.`,
    submit: 'Crear cuenta',
    consent: (app) => `Al crear tu cuenta, permites que ${app} pueda:`,
    instead: 'Iniciar sesión',
    other: '¿Ya tienes un monedero?',
    logIn: 'Iniciar sesión',
  },
  consent: {
    title: (app) => `${app} quiere conectarse a tu monedero`,
    lead: (firstName) => `Hola, ${firstName}. Si aceptas, podrá:`,
    leadNameless: 'Si aceptas, podrá:',
    canSee: 'Ver tu saldo',
    canCharge: 'Cobrar de tu monedero sin preguntar cada vez',
    cannot: 'No puede ver qué haces en otras apps, solo el importe y la hora.',
    undo: 'Puedes desconectarla en cualquier momento en tu cuenta.',
    agree: 'Aceptar',
    notNow: 'Ahora no',
  },
  verify: {
    title: 'Mira tu correo',
    lead: 'Hemos enviado un código de 6 dígitos a',
    submit: 'Confirmar',
  },
  linked: {
    title: 'Ya estás conectado',
    text: (app) => `${app} está cargando tu monedero …`,
    hint: (app) => `Si no ocurre nada, recarga la página de ${app}. Tu conexión se ha guardado.`,
  },

  errors,
}
