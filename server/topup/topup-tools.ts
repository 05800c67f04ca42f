import type { Context } from '../context.ts'
import type { Processor } from '../processor/stripe.ts'
import { ServiceError } from '../service-error.ts'

/** Who pays: a person in the widget of a client app, or at /account. */
export interface Payer {
  userId: bigint
  walletId: bigint
  /** null: at /account. */
  clientApp: { id: bigint; isPaused: boolean } | null
}

/** For requests of people. */
export type PageTools = TopupTools & Pick<Context, 'throttles'>

export type TopupTools = Pick<Context, 'db' | 'ledger' | 'config' | 'log'> & {
  processor: Processor
  /** For receipts. */
  mailer?: Context['mailer']
  /** What reports the payment. Stored with the top-up for later investigation. */
  reportedBy?: 'page' | 'webhook' | 'sweeper' | 'command'
}

export function requireProcessor(context: Context): PageTools {
  const { processor } = context
  if (processor === undefined) throw new ServiceError('PAYMENT_PROVIDER_ERROR')
  return { ...context, processor }
}
