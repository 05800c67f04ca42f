import { AUTOMATIC_TERMS } from '@coffer/contract/account/automatic-terms'
import type { CardMessages } from './card-messages-en.ts'

export const cardsEs: CardMessages = {
  title: 'Tarjetas guardadas',
  hint: 'El proveedor de pagos guarda tus tarjetas. Solo tú puedes pagar con ellas: aquí, o en una app después de introducir tu contraseña. Las aplicaciones no pueden usarlas.',
  emptyTitle: 'No hay tarjetas guardadas',
  empty:
    'Para guardar una tarjeta, marca «Guardar esta tarjeta para la próxima vez» al añadir dinero.',
  unread: 'Tus tarjetas no se pueden mostrar en este momento. Inténtalo más tarde.',
  named: (brand, last4) => `${brand} terminada en ${last4}`,
  expires: (month) => `Caduca ${month}`,
  expired: (month) => `Caducó ${month}`,
  isDefault: 'Predeterminada',
  makeDefault: 'Predeterminar',
  makeDefaultNamed: (card) => `Usar ${card} como tarjeta predeterminada`,
  wasMadeDefault: (card) => `${card} es ahora la tarjeta predeterminada.`,
  remove: 'Quitar',
  removeNamed: (card) => `Quitar ${card}`,
  removeTitle: (card) => `¿Quitar ${card}?`,
  removeText: 'Nadie podrá pagar con ella. Si la recarga automática usa esta tarjeta, se suspende.',
  wasRemoved: (card) => `Tarjeta quitada: ${card}.`,
  autoTitle: 'Recarga automática',
  autoHint:
    'Añade dinero con una tarjeta guardada cuando tu saldo es bajo. Está desactivada hasta que la configures.',
  autoOff: 'La recarga automática está desactivada.',
  autoNeedsCard:
    'Para usarla, guarda primero una tarjeta: marca «Guardar esta tarjeta para la próxima vez» al añadir dinero.',
  autoSetUp: 'Configurar',
  autoChange: 'Cambiar',
  autoEnd: 'Desactivar',
  autoEnded: 'La recarga automática está ahora desactivada.',
  autoSaved: 'La recarga automática está ahora activada.',
  autoTerms: AUTOMATIC_TERMS.es,
  autoAgree: 'Acepto esto hasta que lo desactive:',
  threshold: 'Cuando el saldo sea inferior a',
  amount: 'Añadir',
  monthMax: 'Máximo al mes',
  card: 'Tarjeta',
  amountError: (min, max) => `Escribe un importe de ${min} a ${max}.`,
  thresholdError: 'Escribe un importe como 10.',
  monthMaxError: 'Escribe al menos el importe de una recarga.',
  suspended: {
    authentication:
      'Suspendida: tu banco quiere que confirmes tú un pago. Añade dinero una vez con esta tarjeta o elige otra. Después guarda de nuevo estos ajustes.',
    failures:
      'Suspendida: la tarjeta fue rechazada varias veces. Elige otra tarjeta y guarda de nuevo estos ajustes.',
    card: 'Suspendida: se quitó la tarjeta. Elige otra tarjeta y guarda de nuevo estos ajustes.',
  },
}
