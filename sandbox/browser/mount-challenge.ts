import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import type { Sandbox } from '../context.ts'
import { exponentOf } from '../currencies.ts'
import { endAuthentication } from '../payments/authenticate-card.ts'
import { StripeError } from '../stripe-error.ts'

const PAGE = new URL('challenge/challenge.html', import.meta.url)

const TEXTS = {
  en: {
    bank: 'Test bank',
    test: 'Test mode',
    title: 'Confirm your payment',
    amountLabel: 'Amount',
    cardLabel: 'Card',
    text: 'This is a test page. In a live payment, your bank asks you here for a code or to open its app.',
    over: 'This challenge has ended. Go back and try again.',
    complete: 'Complete authentication',
    fail: 'Fail authentication',
  },
  de: {
    bank: 'Testbank',
    test: 'Testmodus',
    title: 'Zahlung bestätigen',
    amountLabel: 'Betrag',
    cardLabel: 'Karte',
    text: 'Dies ist eine Testseite. Bei einer echten Zahlung fragt hier Ihre Bank nach einem Code oder ihrer App.',
    over: 'Diese Abfrage ist vorbei. Gehen Sie zurück und versuchen Sie es noch einmal.',
    complete: 'Zahlung freigeben',
    fail: 'Zahlung ablehnen',
  },
}

type Query = { overlay?: string; theme?: string; locale?: string }
type Params = { id: string }

/** The bank's page for 3-D Secure, with the same two buttons as Stripe's test page. */
export function mountChallenge(app: FastifyInstance, sandbox: Sandbox) {
  const { state } = sandbox
  app.get<{ Params: Params; Querystring: Query }>(
    '/sandbox/3ds/:id',
    ({ params, query }, reply) => {
      const authentication = state.authentications.get(params.id)
      const intent = state.paymentIntents.get(authentication?.paymentIntentId ?? '')
      const method = state.paymentMethods.get(authentication?.paymentMethodId ?? '')
      reply.header('content-type', 'text/html; charset=utf-8')
      const page = renderPage(query, intent, method)
      return reply.code(intent === undefined ? 410 : 200).send(page)
    },
  )

  app.post<{ Params: Params; Body: { outcome?: unknown } }>(
    '/sandbox/3ds/:id',
    ({ params, body }, reply) => {
      const authentication = state.authentications.get(params.id)
      if (authentication === undefined) return reply.code(410).send({ returnUrl: null })
      const outcome = body.outcome === 'succeeded' ? 'succeeded' : 'failed'
      try {
        endAuthentication(sandbox, authentication, outcome)
      } catch (error) {
        if (error instanceof StripeError) return reply.code(410).send({ returnUrl: null })
        throw error
      }
      const intent = state.paymentIntents.get(authentication.paymentIntentId)
      return reply.send({ returnUrl: returnUrlOf(authentication.returnUrl, intent) })
    },
  )
}

/** The URL of the page to return to, with the parameters that Stripe adds. */
function returnUrlOf(returnUrl: string | null, intent: Stripe.PaymentIntent | undefined) {
  if (returnUrl === null || intent === undefined) return null
  const status = { succeeded: 'succeeded', processing: 'pending' }[intent.status as 'succeeded']
  const url = new URL(returnUrl)
  url.searchParams.set('payment_intent', intent.id)
  url.searchParams.set('payment_intent_client_secret', intent.client_secret ?? '')
  url.searchParams.set('redirect_status', status ?? 'failed')
  return url.href
}

function renderPage(
  query: Query,
  intent: Stripe.PaymentIntent | undefined,
  method: Stripe.PaymentMethod | undefined,
): string {
  const locale = query.locale?.toLowerCase().startsWith('de') === true ? 'de' : 'en'
  const values: Record<string, string> = {
    ...TEXTS[locale],
    locale,
    theme: query.theme === 'night' ? 'night' : 'stripe',
    overlay: String(query.overlay === 'true'),
    amount: intent === undefined ? '–' : formatAmount(intent, locale),
    last4: method?.card?.last4 ?? '',
  }
  const page = readFileSync(PAGE, 'utf8')
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_match, name: string) => values[name] ?? '')
}

function formatAmount({ amount, currency }: Stripe.PaymentIntent, locale: string): string {
  const major = amount / 10 ** exponentOf(currency)
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(major)
}
