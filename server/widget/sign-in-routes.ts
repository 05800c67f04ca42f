import { exchangeLinkCode as exchange } from '@coffer/contract/server/wallet'
import * as endpoints from '@coffer/contract/widget/widget'
import type { FastifyInstance } from 'fastify'
import type { ClientApp } from '../client-app/client-app-cache.ts'
import type { Context } from '../context.ts'
import { findFrameParty } from '../http/find-relying-party.ts'
import { mountPageEndpoint } from '../http/page-route.ts'
import { mountServerEndpoint } from '../http/route.ts'
import { ServiceError } from '../service-error.ts'
import { agree } from '../identity/agree.ts'
import { checkNewPassword } from '../identity/check-new-password.ts'
import { exchangeLinkCode } from '../identity/exchange-link-code.ts'
import { limitSignUps } from '../identity/limit-attempts.ts'
import { logIn } from '../identity/log-in.ts'
import {
  createPasskeyChallenge,
  type PasskeyCeremony,
} from '../identity/passkeys/create-challenge.ts'
import { logInByPasskey, refuseChangedPassword } from '../identity/passkeys/log-in-by-passkey.ts'
import { PEOPLE } from '../identity/passkeys/queries.ts'
import { forgotPassword } from '../identity/reset-password.ts'
import { signUp } from '../identity/sign-up.ts'
import { takeNextStep } from '../identity/take-next-step.ts'
import { verifyEmail } from '../identity/verify-email.ts'
import { withLanguage } from '../identity/with-language.ts'

export function mountSignInRoutes(app: FastifyInstance, context: Context) {
  mountServerEndpoint(app, context, exchange, ({ clientApp, input }) =>
    exchangeLinkCode(context, clientApp, input),
  )
  mountSteps(app, context)
}

/** Sign-up and login inside the frame: no cookie and no storage, a ticket identifies the person at the next step. */
function mountSteps(app: FastifyInstance, context: Context) {
  const { throttles, config } = context

  mountPageEndpoint(app, context, endpoints.signUp, async ({ input, network, language }) => {
    const { id: clientAppId } = await findActiveApp(context, input.clientId)
    // Before it counts: a person whose password is rejected has not signed up yet.
    checkNewPassword(input.password, input.email, config.passwordMin)
    await limitSignUps(context, network)
    return signUp(context, clientAppId, { ...input, language }, { network })
  })
  mountPageEndpoint(app, context, endpoints.logIn, async ({ input, network, language }) => {
    const { id: clientAppId } = await findActiveApp(context, input.clientId)
    await requireRate(throttles.mayLogIn(network))
    const person = withLanguage(await logIn(context, input, { network }), language)
    return takeNextStep(context, person, { clientAppId, challenge: input.challenge })
  })
  mountPageEndpoint(app, context, endpoints.beginWidgetPasskeyLogIn, async (call) => {
    const clientApp = await findActiveApp(context, call.input.clientId)
    await requireRate(throttles.mayLogIn(call.network))
    return createPasskeyChallenge(context.db, frameCeremony(context, call.host, clientApp))
  })
  mountPageEndpoint(app, context, endpoints.logInToWidgetByPasskey, async (call) => {
    const { clientId, passkey, challenge } = call.input
    const clientApp = await findActiveApp(context, clientId)
    await requireRate(throttles.mayLogIn(call.network))
    const ceremony = frameCeremony(context, call.host, clientApp)
    const holder = await logInByPasskey(context, ceremony, passkey)
    const person = withLanguage(holder, call.language)
    const request = { clientAppId: clientApp.id, challenge }
    return takeNextStep(context, person, request).catch(refuseChangedPassword)
  })
  mountPageEndpoint(app, context, endpoints.agree, async ({ input, network, language }) => {
    await requireRate(throttles.mayLogIn(network))
    return agree(context, input.ticket, language)
  })
  mountPageEndpoint(app, context, endpoints.verifyEmail, async ({ input, network, language }) => {
    await requireRate(throttles.mayLogIn(network))
    return verifyEmail(context, input.ticket, input.code, language)
  })
  mountPageEndpoint(
    app,
    context,
    endpoints.forgotPassword,
    async ({ input, network, language }) => {
      await findActiveApp(context, input.clientId)
      await requireRate(throttles.mayLogIn(network))
      await forgotPassword(context, input.email, language)
      return { step: 'reset' as const }
    },
  )
}

/** Approximately when the next attempt is allowed. */
const LOG_IN_WAIT_SECONDS = 5

async function requireRate(isAllowed: boolean | Promise<boolean>) {
  if (!(await isAllowed)) throw new ServiceError('RATE_LIMITED', undefined, LOG_IN_WAIT_SECONDS)
}

async function findActiveApp({ clientApps }: Context, clientId: string): Promise<ClientApp> {
  const clientApp = await clientApps.find(clientId)
  if (!clientApp?.isActive) throw new ServiceError('INVALID_REQUEST', 'clientId')
  return clientApp
}

/** Only in a frame, and only on a page that may embed this app's widget. */
function frameCeremony({ config }: Context, host: string, clientApp: ClientApp): PasskeyCeremony {
  const party = findFrameParty(config, host, clientApp.allowedIframeParents)
  if (party === undefined) throw new ServiceError('PASSKEY_INVALID')
  return { owners: PEOPLE, party, purpose: 'widget', logInId: null }
}
