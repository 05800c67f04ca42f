import { retrieveIntent } from './call-api.js'
import { openFrame } from './open-frame.js'

/**
 * @typedef {import('./call-api.js').Intent} Intent
 * @typedef {import('./call-api.js').Outcome} Outcome
 */

/**
 * Runs the intent's next action: a challenge over the page, or on a separate page. @param {string} publishableKey
 * @param {Intent} intent @param {{ theme: string, locale: string }} look @returns {Promise<Outcome>}
 */
export async function takeNextAction(publishableKey, intent, look) {
  const action = intent.next_action
  if (intent.status !== 'requires_action' || action === null) return { paymentIntent: intent }
  if (action.redirect_to_url !== undefined) {
    location.assign(action.redirect_to_url.url)
    return await new Promise(() => {})
  }
  await showChallenge(action.use_stripe_sdk?.stripe_js ?? '', look)
  const outcome = await retrieveIntent(publishableKey, intent.client_secret)
  const refusal = outcome.paymentIntent?.last_payment_error
  if (outcome.paymentIntent?.status === 'requires_payment_method' && refusal) {
    return { error: { ...refusal, payment_intent: outcome.paymentIntent } }
  }
  return outcome
}

/**
 * @param {string} address
 * @param {{ theme: string, locale: string }} look
 */
function showChallenge(address, { theme, locale }) {
  const before = document.activeElement
  const style = {
    position: 'fixed',
    inset: '0',
    width: '100%',
    height: '100%',
    zIndex: '2147483647',
    colorScheme: theme === 'night' ? 'dark' : 'light',
  }
  const url = `${address}?${new URLSearchParams({ overlay: 'true', theme, locale })}`
  return new Promise((resolve) => {
    const frame = openFrame(url, '3-D Secure', style, (message) => {
      if (message.type !== 'challenge-over') return
      frame.remove()
      if (before instanceof HTMLElement) before.focus()
      resolve(undefined)
    })
    document.body.append(frame.element)
    frame.element.focus()
  })
}
