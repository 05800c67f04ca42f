import { setSpendLimit as endpoint } from '@coffer/contract/account/spend-limit'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { mountPageEndpoint, type PageCall } from '../http/page-route.ts'
import { limitLogIns } from '../identity/limit-attempts.ts'
import { logInByPasskey } from '../identity/passkeys/log-in-by-passkey.ts'
import { ServiceError } from '../service-error.ts'
import type { LoggedIn } from './log-in-queries.ts'
import { ceremonyOf } from './passkey-routes.ts'
import { setSpendLimit } from './set-spend-limit.ts'

type Admit = (call: Pick<PageCall<z.ZodObject>, 'cookie' | 'language'>) => Promise<LoggedIn>
type AdmitWithPassword = (
  call: PageCall<z.ZodObject<{ password: z.ZodString }>>,
) => Promise<{ person: LoggedIn }>

export function mountSpendLimit(
  app: FastifyInstance,
  context: Context,
  admit: Admit,
  admitWithPassword: AdmitWithPassword,
) {
  mountPageEndpoint(app, context, endpoint, async (call) => {
    const { password, passkey, ...input } = call.input
    if (password !== undefined) {
      const { person } = await admitWithPassword({ ...call, input: { password } })
      await setSpendLimit(context, person, input, true)
      return {}
    }
    const person = await admit(call)
    if (passkey !== undefined) {
      await limitLogIns(context, 'person', { network: call.network })
      const owner = await logInByPasskey(context, ceremonyOf(context, call, 'log_in'), passkey)
      if (owner.userId !== person.userId) throw new ServiceError('PASSKEY_INVALID')
    }
    await setSpendLimit(context, person, input, passkey !== undefined)
    return {}
  })
}
