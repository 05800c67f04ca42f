import * as endpoints from '@coffer/contract/account/sign-up'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { one } from '../database/statement.ts'
import { mountPageEndpoint, type PageCall } from '../http/page-route.ts'
import { checkNewPassword } from '../identity/check-new-password.ts'
import { limitLogIns, limitSignUps } from '../identity/limit-attempts.ts'
import { findPerson, type Person } from '../identity/queries.ts'
import { beginSignUp } from '../identity/sign-up.ts'
import { verifySignUp } from '../identity/verify-email.ts'
import { ServiceError } from '../service-error.ts'

type LogInAs = (person: Person, call: PageCall<z.ZodObject>) => Promise<unknown>

/** The same rules as in the widget, but nothing is linked, and the browser gets the login cookie. */
export function mountSignUp(app: FastifyInstance, context: Context, logInAs: LogInAs) {
  async function enter(userId: bigint, call: PageCall<z.ZodObject>) {
    const person = await one(context.db, findPerson(userId))
    // Deleted by an operator in this moment.
    if (person === undefined) throw new ServiceError('SERVICE_UNAVAILABLE')
    await logInAs(person, call)
  }
  mountPageEndpoint(app, context, endpoints.signUpAtAccount, async (call) => {
    const { input, network, language } = call
    // Before the sign-up counts toward the limit, so that a rejected password does not.
    checkNewPassword(input.password, input.email, context.config.passwordMin)
    await limitSignUps(context, network)
    const begun = await beginSignUp(context, null, { ...input, language }, { network })
    if ('ticket' in begun) return { ticket: begun.ticket }
    await enter(begun.userId, call)
    return {}
  })
  mountPageEndpoint(app, context, endpoints.verifySignUp, async (call) => {
    const { input, network, language } = call
    await limitLogIns(context, 'person', { network })
    await enter(await verifySignUp(context, input.ticket, input.code, language), call)
    return {}
  })
}
