import type { Context } from '../context.ts'
import type { Processor } from '../processor/stripe.ts'

/** For requests of people. */
export type PageTools = TopupTools & Pick<Context, 'throttles'>

export type TopupTools = Pick<Context, 'db' | 'ledger' | 'config' | 'log'> & {
  processor: Processor
  /** Which caller settles the top-up; stored with it for later investigation. */
  settledBy?: 'page' | 'webhook' | 'sweeper' | 'command'
}
