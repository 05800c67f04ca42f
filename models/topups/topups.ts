/** Top-ups, saved cards and automatic top-ups, with a processor whose calls and events get lost, repeated and late. */
import type { Model } from '../check-model.ts'
import { plan, RARE, type Plan } from './commands.ts'
import { Run } from './play.ts'
import { openService, type Service } from './service.ts'

export const MODEL: Model<Plan> = {
  name: 'topups',
  plan,
  async open(hit) {
    const service = await openService()
    return {
      async play(given, note) {
        service.sandbox.reset()
        const { logLines } = service.harness
        logLines.length = 0
        try {
          await new Run(service, given, hit, note).play()
        } catch (error) {
          const lines = logLines.join('').split('\n')
          for (const line of lines.filter((each) => each.includes('"level":"error"'))) note(line)
          throw error
        } finally {
          await endOpen(service)
        }
      },
      close: () => service.close(),
    }
  },
  mustHit: [
    'a payment saves its card',
    'automatic 200',
    'automatic CARD_NOT_FOUND',
    'automatic INVALID_AMOUNT',
    'automatic INVALID_REQUEST',
    'automatic LOGIN_FAILED',
    'automatic PAYMENT_PROVIDER_ERROR',
    'automatic top-up credited',
    'automatic top-up ended',
    'automatic top-up suspended for authentication',
    'automatic top-up suspended for card',
    'bankDecides requires_payment_method',
    'bankDecides succeeded',
    'chooseCard 200',
    'chooseCard CARD_NOT_FOUND',
    'confirm 200',
    'confirm LOGIN_REQUIRED',
    'confirm PAYMENT_FAILED',
    'confirm PAYMENT_INTENT_NOT_FOUND',
    'confirm PAYMENT_PROVIDER_ERROR',
    'confirm SESSION_EXPIRED',
    'create 200',
    'create CARD_NOT_FOUND',
    'create INVALID_AMOUNT',
    'create LOGIN_REQUIRED',
    'create PAYMENT_PROVIDER_ERROR',
    'create RATE_LIMITED',
    'create SESSION_EXPIRED',
    'create TOPUP_LIMIT_EXCEEDED',
    'create WALLET_INACTIVE',
    'debit 200',
    'debit INSUFFICIENT_BALANCE',
    'debt',
    'delete 200',
    'delete ACCOUNT_NOT_EMPTY',
    'delete PAYMENT_PROVIDER_ERROR',
    'delete with open payments',
    'deliver INVALID_SIGNATURE',
    'deliver PAYMENT_PROVIDER_ERROR',
    'deliver charge.dispute.closed',
    'deliver charge.dispute.funds_reinstated',
    'deliver charge.dispute.funds_withdrawn',
    'deliver charge.refunded',
    'deliver payment_intent.canceled',
    'deliver payment_intent.payment_failed',
    'deliver payment_intent.payment_failed again',
    'deliver payment_intent.succeeded',
    'deliver payment_intent.succeeded again',
    'deliver refund.failed',
    'endRefund failed at processor',
    'endRefund failed ours',
    'entry card_refund',
    'entry reversal',
    'entry seizure',
    'entry topup',
    'pay processing',
    'pay requires_action',
    'pay requires_payment_method',
    'pay succeeded',
    'race 200',
    'reconcile credits missing payments',
    'refund INSUFFICIENT_BALANCE',
    'refund INVALID_AMOUNT',
    'refund INVALID_REQUEST',
    'refund 200 while another is in doubt',
    'refund INVALID_AMOUNT while another is in doubt',
    'refund reserved',
    'refund released',
    'refund sent',
    'removeCard 200',
    'reset with an open charge',
    'resolve escalated',
    'resolve lost',
    'resolve won',
    'reported by command',
    'reported by page',
    'reported by sweeper',
    'reported by webhook',
    'sweep while POST /v1/payment_intents/:id/confirm is lost',
    'sweep while POST /v1/refunds is lost',
    'the month of Pacific/Kiritimati decides',
    'the month of Pacific/Pago_Pago decides',
    'unclaimed money more than once',
    'widgetCard 200',
    'widgetCard LOGIN_FAILED',
    'widgetCard LOGIN_REQUIRED',
  ],
  plans: 80,
  first: RARE,
}

/** The jobs work on everything that is open, so a plan that failed must leave nothing for the next one. */
async function endOpen({ harness, clock }: Service) {
  const { admin } = harness
  await admin.query(`update directory.topups set status = 'ended' where status = 'open'`)
  await admin.query(`update directory.refunds set status = 'sent' where status = 'reserved'`)
  await admin.query('delete from directory.automatic_topups')
  clock.advanceMs(60 * 60 * 1000)
}
