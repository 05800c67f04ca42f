import { ORIGIN } from './sandbox-origin.js'

/**
 * @typedef {{ type: string, code?: string, message: string, [field: string]: unknown }} Refusal
 * @typedef {{ id: string, status: string, client_secret: string, last_payment_error: Refusal | null, next_action: { type: string, redirect_to_url?: { url: string }, use_stripe_sdk?: { stripe_js: string } } | null }} Intent
 * @typedef {{ paymentIntent: Intent, error?: undefined } | { error: Refusal, paymentIntent?: undefined }} Outcome
 */

/**
 * Reads an intent as a page may: with the publishable key and the intent's client secret.
 * @param {string} publishableKey
 * @param {string} clientSecret
 * @returns {Promise<Outcome>}
 */
export async function retrieveIntent(publishableKey, clientSecret) {
  const id = clientSecret.split('_secret_')[0]
  const query = new URLSearchParams({ client_secret: clientSecret })
  return await callIntent(publishableKey, `${id}?${query}`)
}

/**
 * Confirms an intent with a card that the processor knows: the given one, or that of the intent.
 * @param {string} publishableKey
 * @param {{ clientSecret: string, returnUrl: string, redirect: string, card: string }} detail
 * @returns {Promise<Outcome>}
 */
export async function confirmIntent(publishableKey, { clientSecret, returnUrl, redirect, card }) {
  const id = clientSecret.split('_secret_')[0]
  const body = new URLSearchParams({
    client_secret: clientSecret,
    use_stripe_sdk: String(redirect === 'if_required'),
  })
  if (returnUrl !== '') body.set('return_url', returnUrl)
  if (card !== '') body.set('payment_method', card)
  return await callIntent(publishableKey, `${id}/confirm`, { method: 'POST', body })
}

/**
 * @param {string} publishableKey
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<Outcome>}
 */
async function callIntent(publishableKey, path, init = {}) {
  try {
    const response = await fetch(`${ORIGIN}/v1/payment_intents/${path}`, {
      ...init,
      headers: { authorization: `Bearer ${publishableKey}` },
    })
    const body = await response.json()
    return response.ok ? { paymentIntent: body } : { error: body.error }
  } catch {
    return { error: connectionRefusal() }
  }
}

/** @returns {Refusal} */
export function connectionRefusal() {
  return {
    type: 'api_connection_error',
    message: 'We are experiencing issues connecting to our payments provider. Please try again.',
  }
}
