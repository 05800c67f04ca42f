import type { Context } from '../context.ts'
import type { Processor } from '../processor/stripe.ts'

export type TopupTools = Pick<Context, 'db' | 'ledger' | 'config' | 'log'> & {
  processor: Processor
  /** Which caller settles the top-up; stored with it for later investigation. */
  settledBy?: 'page' | 'webhook' | 'sweeper' | 'command'
}
