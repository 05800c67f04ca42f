import { confirmIntent, retrieveIntent } from './call-api.js'
import { createPaymentElement } from './create-payment-element.js'
import { takeNextAction } from './open-challenge.js'
import { RELEASE } from './sandbox-origin.js'

/**
 * @typedef {import('./call-api.js').Outcome} Outcome
 * @typedef {ReturnType<typeof createPaymentElement>} Payment
 * @typedef {{ clientSecret?: string, appearance?: import('./create-payment-element.js').Appearance, locale?: string }} ElementsOptions
 * @typedef {ReturnType<typeof createElements>} Elements
 * @typedef {{ elements?: Elements, clientSecret?: string, confirmParams?: { return_url?: string, payment_method?: string }, redirect?: 'always' | 'if_required' }} Confirmation
 */

/**
 * The data that a group of elements needs to pay. The page cannot read it. @type {WeakMap<object, { payment: Payment |
 * null, clientSecret: string, look: { theme: string, locale: string } }>}
 */
const privateData = new WeakMap()

/**
 * @param {string} publishableKey
 * @param {ElementsOptions} options
 */
function createElements(publishableKey, options) {
  const { clientSecret = '', appearance = {}, locale = 'auto' } = options
  const language = locale === 'auto' ? navigator.language : locale
  const look = { theme: appearance.theme ?? 'stripe', locale: language }
  /** @type {{ payment: Payment | null, clientSecret: string, look: typeof look }} */
  const data = { payment: null, clientSecret, look }
  const elements = {
    /** @param {string} type */
    create(type) {
      if (type !== 'payment') throw new Error(`The sandbox has no element of type ${type}.`)
      data.payment = createPaymentElement({ publishableKey, appearance, locale: language })
      return data.payment.element
    },
    /** @param {string} type */
    getElement: (type) => (type === 'payment' ? (data.payment?.element ?? null) : null),
    /** @param {ElementsOptions} changes */
    update(changes) {
      if (changes.clientSecret !== undefined) data.clientSecret = changes.clientSecret
      const theme = changes.appearance?.theme
      if (theme !== undefined) look.theme = theme
      if (changes.locale !== undefined) look.locale = changes.locale
      data.payment?.element.update(changes)
    },
    async submit() {
      const outcome = await needPayment(data).ask('submit')
      return outcome.error === undefined
        ? { selectedPaymentMethod: 'card' }
        : { error: outcome.error }
    },
    fetchUpdates: async () => ({}),
  }
  privateData.set(elements, data)
  return elements
}

/** @param {{ payment: Payment | null }} data */
function needPayment({ payment }) {
  if (payment === null) throw new Error('elements should have a mounted Payment Element.')
  return payment
}

/**
 * @param {string} publishableKey
 * @param {Confirmation} confirmation
 * @returns {Promise<Outcome>}
 */
async function confirmPayment(publishableKey, confirmation) {
  const { elements, confirmParams = {}, redirect = 'always' } = confirmation
  const data = elements === undefined ? undefined : privateData.get(elements)
  const clientSecret = confirmation.clientSecret ?? data?.clientSecret
  if (clientSecret === undefined) {
    throw new Error('confirmPayment() needs elements or a clientSecret.')
  }
  const returnUrl = confirmParams.return_url
  if (redirect === 'always' && returnUrl === undefined) {
    throw new Error('confirmParams.return_url is required unless redirect is if_required.')
  }
  const detail = { clientSecret, returnUrl: returnUrl ?? '', redirect }
  const { payment_method: card = '' } = confirmParams
  const confirmed =
    data === undefined
      ? await confirmIntent(publishableKey, { ...detail, card })
      : await needPayment(data).ask('confirm', detail)
  if (confirmed.error !== undefined) return confirmed
  const look = data?.look ?? { theme: 'stripe', locale: navigator.language }
  const outcome = await takeNextAction(publishableKey, confirmed.paymentIntent, look)
  if (outcome.error !== undefined || redirect === 'if_required') return outcome
  return await goBack(returnUrl ?? '', outcome.paymentIntent)
}

/**
 * @param {string} returnUrl
 * @param {import('./call-api.js').Intent} intent
 * @returns {Promise<never>}
 */
function goBack(returnUrl, intent) {
  const url = new URL(returnUrl)
  url.searchParams.set('payment_intent', intent.id)
  url.searchParams.set('payment_intent_client_secret', intent.client_secret)
  url.searchParams.set('redirect_status', intent.status === 'processing' ? 'pending' : 'succeeded')
  location.assign(url)
  return new Promise(() => {})
}

/**
 * The part of Stripe.js that we use.
 * @param {string} publishableKey
 */
function createStripe(publishableKey) {
  if (typeof publishableKey !== 'string' || !publishableKey.startsWith('pk_test_')) {
    throw new Error('Please call Stripe() with your publishable test key.')
  }
  return {
    /** @param {ElementsOptions} [options] */
    elements: (options = {}) => createElements(publishableKey, options),
    /** @param {Confirmation} confirmation */
    confirmPayment: (confirmation) => confirmPayment(publishableKey, confirmation),
    /** @param {string} clientSecret */
    retrievePaymentIntent: (clientSecret) => retrieveIntent(publishableKey, clientSecret),
    /** @param {{ clientSecret: string }} options @returns {Promise<Outcome>} */
    async handleNextAction({ clientSecret }) {
      const outcome = await retrieveIntent(publishableKey, clientSecret)
      if (outcome.error !== undefined) return outcome
      const look = { theme: 'stripe', locale: navigator.language }
      return await takeNextAction(publishableKey, outcome.paymentIntent, look)
    },
    registerAppInfo() {},
    _registerWrapper() {},
  }
}

createStripe.version = RELEASE === 'v3' ? 3 : RELEASE
Object.assign(window, { Stripe: createStripe })
