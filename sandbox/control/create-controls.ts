import type { Sandbox } from '../context.ts'
import { openDispute, type DisputeOptions } from '../disputes/open-dispute.ts'
import { resolveDispute, type DisputeOutcome } from '../disputes/resolve-dispute.ts'
import { createFaults } from '../faults.ts'
import { endAuthentication } from '../payments/authenticate-card.ts'
import { chargeCard } from '../payments/charge-card.ts'
import { confirmPaymentIntent } from '../payments/confirm-payment-intent.ts'
import { findPaymentMethod, paymentMethodOfNumber } from '../payments/create-payment-method.ts'
import { failRefund, succeedRefund } from '../refunds/complete-refund.ts'
import { clearState, idOf } from '../state.ts'
import { invalidRequest, missing } from '../stripe-error.ts'
import { addWebhookEndpoint } from '../webhooks/webhook-operations.ts'

/** Actions of cardholders, banks and Stripe, for tests and the control API. */
export function createControls(sandbox: Sandbox) {
  const { state, faults, settings, webhookSender } = sandbox

  /** Completes or fails the open 3-D Secure challenge. */
  function authenticate(intentId: string, outcome: 'succeeded' | 'failed') {
    const open = [...state.authentications.values()]
    const authentication = open.find(({ paymentIntentId }) => paymentIntentId === intentId)
    if (authentication === undefined) throw invalidRequest('No challenge is open.')
    endAuthentication(sandbox, authentication, outcome)
    return structuredClone(requireObject(state.paymentIntents, 'payment_intent', intentId))
  }

  return {
    authenticate,
    /** Pays an intent without a browser. The card is a number or a name such as `pm_card_visa`. */
    complete(intentId: string, card = 'pm_card_visa', authentication?: 'succeeded' | 'failed') {
      const intent = requireObject(state.paymentIntents, 'payment_intent', intentId)
      const method = /^[\d ]+$/.test(card)
        ? paymentMethodOfNumber(sandbox, card)
        : findPaymentMethod(sandbox, card)
      const confirmation = { method, returnUrl: null, useStripeSdk: true, isUnattended: false }
      confirmPaymentIntent(sandbox, intent, confirmation)
      if (intent.status === 'requires_action' && authentication !== undefined) {
        authenticate(intentId, authentication)
      }
      return structuredClone(intent)
    },
    /** Ends the status `processing` of an intent; the test card determines the outcome. */
    endProcessing(intentId: string) {
      const intent = requireObject(state.paymentIntents, 'payment_intent', intentId)
      if (intent.status !== 'processing') throw invalidRequest('This intent is not processing.')
      const id = idOf(intent.payment_method)
      chargeCard(sandbox, intent, requireObject(state.paymentMethods, 'PaymentMethod', id), false)
      return structuredClone(intent)
    },
    openDispute(chargeId: string, input: Partial<DisputeOptions> = {}) {
      const charge = requireObject(state.charges, 'charge', chargeId)
      const full = { reason: 'fraudulent', isInquiry: false, ...input }
      return structuredClone(openDispute(sandbox, charge, full))
    },
    resolveDispute(disputeId: string, outcome: DisputeOutcome) {
      const dispute = requireObject(state.disputes, 'dispute', disputeId)
      resolveDispute(sandbox, dispute, outcome)
      return structuredClone(dispute)
    },
    failRefund(refundId: string, reason = 'lost_or_stolen_card') {
      const refund = requireObject(state.refunds, 'refund', refundId)
      failRefund(sandbox, refund, reason)
      return structuredClone(refund)
    },
    succeedRefund(refundId: string) {
      const refund = requireObject(state.refunds, 'refund', refundId)
      succeedRefund(sandbox, refund)
      return structuredClone(refund)
    },
    /** Delivers an event again, or for the first time if it was dropped. */
    resendEvent(eventId: string) {
      const event = requireObject(state.events, 'event', eventId)
      for (const endpoint of state.webhookEndpoints.values()) webhookSender.send(event, endpoint)
    },
    addWebhookEndpoint(url: string, secret = settings.webhookSecret, events = ['*']) {
      return structuredClone(addWebhookEndpoint(sandbox, url, secret, events))
    },
    flushWebhooks: () => webhookSender.flush(),
    webhooksIdle: () => webhookSender.whenIdle(),
    resetFaults() {
      Object.assign(faults, createFaults())
    },
    /** Deletes all payments and clears all faults. Webhook endpoints stay. */
    reset() {
      webhookSender.cancel()
      clearState(state)
      Object.assign(faults, createFaults())
    },
  }
}

export type Controls = ReturnType<typeof createControls>

function requireObject<T>(objects: Map<string, T>, kind: string, id: string): T {
  const object = objects.get(id)
  if (object === undefined) throw missing(kind, id)
  return object
}
