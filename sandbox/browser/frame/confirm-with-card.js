/**
 * Sends the card and the confirmation to the sandbox only. @param {string} publishableKey @param {{ number: string,
 * expiry: string, cvc: string }} card @param {{ clientSecret?: string, returnUrl?: string, redirect?: string }} detail
 */
export async function confirmWithCard(publishableKey, card, detail) {
  const { clientSecret = '', returnUrl = '', redirect } = detail
  const id = clientSecret.split('_secret_')[0]
  const body = new URLSearchParams({
    client_secret: clientSecret,
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': card.number,
    'payment_method_data[card][exp_month]': card.expiry.slice(0, 2),
    'payment_method_data[card][exp_year]': `20${card.expiry.slice(2)}`,
    'payment_method_data[card][cvc]': card.cvc,
    use_stripe_sdk: String(redirect === 'if_required'),
  })
  if (returnUrl !== '') body.set('return_url', returnUrl)
  try {
    const response = await fetch(`/v1/payment_intents/${id}/confirm`, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishableKey}` },
      body,
    })
    const answer = await response.json()
    return response.ok ? { paymentIntent: answer } : { error: answer.error }
  } catch {
    const message =
      'We are experiencing issues connecting to our payments provider. Please try again.'
    return { error: { type: 'api_connection_error', message } }
  }
}
