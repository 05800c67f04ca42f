import type { Context } from '../context.ts'

/** What a process needs to deliver events. */
export type DeliveryTools = Pick<
  Context,
  'backgroundDb' | 'config' | 'transactionIds' | 'sender' | 'log' | 'metrics' | 'mailer'
>
