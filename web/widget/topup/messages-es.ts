import type { TopupMessages } from './messages-en.ts'

export const topupEs: TopupMessages = {
  pageTitle: (app) => `Añadir dinero a tu monedero en ${app}`,
  loading: 'Tu pago se está cargando.',
  owner: 'Al monedero de',

  amount: {
    title: 'Añadir dinero',
    balance: (balance) => `Saldo: ${balance}`,
    label: 'Importe',
    suggested: 'Importes sugeridos',
    between: (min, max) => `Entre ${min} y ${max}.`,
    submit: 'Continuar con el pago',
    canceled: 'El pago se ha cancelado y no se ha cobrado nada. Puedes empezar de nuevo.',
    errors: {
      empty: (example) => `Escribe un importe como ${example}.`,
      whole: 'Escribe un número entero. Esta moneda no tiene decimales.',
      decimals: (count, example) =>
        `Usa como máximo ${count} cifras decimales, por ejemplo ${example}.`,
      tens: (example) => `La última cifra debe ser 0, por ejemplo ${example}.`,
      small: (min) => `El importe mínimo es ${min}.`,
      large: (max) => `El importe máximo es ${max} de una vez.`,
      dayLimit: (max, time) =>
        `Puedes añadir hasta ${max} en 24 horas. Elige un importe menor. Este importe vuelve a ser posible: ${time}.`,
      refused: (min, max) => `Este importe no es posible. Elige uno entre ${min} y ${max}.`,
    },
  },

  card: {
    title: 'Pagar con tarjeta',
    adding: 'Añades',
    change: 'Cambiar',
    changeWhat: 'el importe',
    changeAmount: 'Cambiar el importe',
    pay: (amount) => `Pagar ${amount}`,
    safe: (app) => `Los datos de tu tarjeta van solo al proveedor de pagos. ${app} nunca los ve.`,
    paying: 'Pagando … Deja esta ventana abierta.',
  },

  declined: {
    generic: 'Tu banco ha rechazado la tarjeta. Usa otra, o pregunta el motivo a tu banco.',
    insufficient_funds:
      'No hay dinero suficiente en esta tarjeta. Usa otra, o elige un importe menor.',
    expired_card: 'Esta tarjeta ha caducado. Revisa la fecha o usa otra tarjeta.',
    incorrect_cvc:
      'El código de seguridad no es correcto. Revisa las cifras de tu tarjeta e inténtalo de nuevo.',
    processing_error:
      'Tu banco no ha podido procesar la tarjeta. No se ha cobrado nada. Inténtalo dentro de un minuto.',
    authentication:
      'Tu banco no ha podido confirmar que eres tú, así que no se ha cobrado nada. Inténtalo de nuevo o usa otra tarjeta.',
    unanswered:
      'La conexión se ha perdido antes de recibir una respuesta. Inténtalo de nuevo: este importe nunca se cobra dos veces.',
    unexpected:
      'El pago no se ha realizado y no se ha cobrado nada. Inténtalo de nuevo o usa otra tarjeta.',
  },

  action: {
    title: 'Tu banco necesita una confirmación',
    text: (amount) => `Confirma el pago de ${amount} con tu banco.`,
    submit: 'Continuar',
    otherCard: 'Usar otra tarjeta',
  },

  result: {
    doneTitle: (amount) => `${amount} añadidos`,
    done: (balance, time) => `${time}. Tu saldo es de ${balance}.`,
    paidTitle: 'Pagado',
    paid: 'Tu saldo se actualizará en un momento.',
    processingTitle: 'Tu banco está procesando el pago',
    processing: 'Tu saldo se actualiza solo cuando termine. Puedes cerrar esta ventana.',
    processingInFrame: 'Tu saldo se actualiza solo cuando termine.',
    close: (app) => `Volver a ${app}`,
    closeYourself: 'Ya puedes cerrar esta ventana.',
    toWallet: 'Volver al monedero',
  },

  other: {
    paidTitle: (amount) => `${amount} pagados`,
    paid: 'El dinero va al monedero para el que se inició este pago. Su saldo se actualiza en un momento.',
    processingTitle: 'Este pago se está procesando',
    processing:
      'El banco aún no lo ha confirmado. Cuando lo haga, el dinero irá al monedero para el que se inició este pago.',
    openTitle: 'Este pago no está completo',
    failedTitle: 'Este pago ha fallado',
    canceledTitle: 'Este pago se ha cancelado',
    unpaid: (app) =>
      `No se ha cobrado nada. Para añadir dinero a tu monedero, vuelve a ${app} y empieza una nueva recarga.`,
    unpaidHere: 'No se ha cobrado nada. Para añadir dinero a tu monedero, empieza un nuevo pago.',
    startAgain: 'Empezar un nuevo pago',
  },

  problem: {
    retry: 'Intentar de nuevo',
    endedTitle: 'Tu sesión ha terminado',
    ended: (app) =>
      `Para proteger tu monedero, las sesiones duran solo unos minutos. No se ha cobrado nada. Vuelve a ${app} y abre la recarga de nuevo.`,
    frozenTitle: 'Este monedero está bloqueado',
    frozen:
      'Ahora mismo no puedes añadir dinero. Contacta con el servicio de ayuda para desbloquearlo.',
    unavailableTitle: 'Aquí no se puede añadir dinero',
    unavailable: (app) =>
      `Los pagos con tarjeta no están disponibles en este momento. Contacta con ${app}.`,
    scriptTitle: 'El formulario de la tarjeta no se ha cargado',
    script:
      'No se ha cobrado nada. Revisa tu conexión y si algo bloquea al proveedor de pagos. Después inténtalo de nuevo.',
    unreachableTitle: 'No podemos comprobar tu pago',
    unreachable:
      'El proveedor de pagos no ha respondido. Si has pagado, tu saldo se actualiza solo. Revisa tu conexión e inténtalo de nuevo.',
    notFoundTitle: 'Pago no encontrado',
    notFound: (app) => `Vuelve a ${app} y abre la recarga de nuevo.`,
    providerDown:
      'El proveedor de pagos no responde. No se ha cobrado nada. Inténtalo de nuevo en un momento.',
    unanswered: 'No hay respuesta. No se ha cobrado nada. Revisa tu conexión e inténtalo de nuevo.',
  },

  testCards: {
    title: 'Tarjetas de prueba',
    hint: 'Usa cualquier fecha futura y cualquier código de seguridad.',
    succeeds: 'Funciona',
    funds: 'Sin fondos',
    declined: 'Rechazada',
    threeDSecure: '3-D Secure',
  },
}
