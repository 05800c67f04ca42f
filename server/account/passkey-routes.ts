import * as endpoints from '@coffer/contract/account/passkeys'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { run } from '../database/statement.ts'
import { areaOfPeople, findRelyingParty } from '../http/find-relying-party.ts'
import { mountPageEndpoint, type PageCall } from '../http/page-route.ts'
import { limitLogIns } from '../identity/limit-attempts.ts'
import {
  createPasskeyChallenge,
  type PasskeyCeremony,
} from '../identity/passkeys/create-challenge.ts'
import { logInByPasskey, refuseChangedPassword } from '../identity/passkeys/log-in-by-passkey.ts'
import { PEOPLE, renamePasskey } from '../identity/passkeys/queries.ts'
import type { Person } from '../identity/queries.ts'
import { ServiceError } from '../service-error.ts'
import { addPasskey, beginPasskey } from './add-passkey.ts'
import type { LoggedIn } from './log-in-queries.ts'
import { removePasskey } from './remove-passkey.ts'

type Enter = (person: Person, call: PageCall<z.ZodObject>) => Promise<unknown>
type Admit = (call: Pick<PageCall<z.ZodObject>, 'cookie' | 'language'>) => Promise<LoggedIn>
type AdmitWithPassword = (
  call: PageCall<z.ZodObject<{ password: z.ZodString }>>,
) => Promise<{ person: LoggedIn }>

/** Passkeys belong to one hostname; under any other hostname they cannot be used. */
export function ceremonyOf(
  { config }: Context,
  { host }: Pick<PageCall<z.ZodObject>, 'host'>,
  purpose: PasskeyCeremony['purpose'],
  logInId: string | null = null,
): PasskeyCeremony {
  const party = findRelyingParty(areaOfPeople(config), host)
  if (party === undefined) throw new ServiceError('PASSKEY_INVALID')
  return { owners: PEOPLE, party, purpose, logInId }
}

/** `enter` starts the login. */
export function mountPasskeyLogIn(app: FastifyInstance, context: Context, enter: Enter) {
  mountPageEndpoint(app, context, endpoints.beginAccountPasskeyLogIn, async (call) => {
    await limitLogIns(context, 'person', { network: call.network })
    return createPasskeyChallenge(context.db, ceremonyOf(context, call, 'log_in'))
  })
  mountPageEndpoint(app, context, endpoints.logInToAccountByPasskey, async (call) => {
    await limitLogIns(context, 'person', { network: call.network })
    const ceremony = ceremonyOf(context, call, 'log_in')
    const person = await logInByPasskey(context, ceremony, call.input.passkey)
    await enter(person, call).catch(refuseChangedPassword)
    return {}
  })
}

/** The password is required to add and to remove one, but not to rename one. */
export function mountPasskeys(
  app: FastifyInstance,
  context: Context,
  admit: Admit,
  admitWithPassword: AdmitWithPassword,
) {
  mountPageEndpoint(app, context, endpoints.beginAccountPasskey, async (call) => {
    const { person } = await admitWithPassword(call)
    return beginPasskey(context, ceremonyOf(context, call, 'add', person.logInId), person)
  })
  mountPageEndpoint(app, context, endpoints.addAccountPasskey, async (call) => {
    const person = await admit(call)
    const ceremony = ceremonyOf(context, call, 'add', person.logInId)
    await addPasskey(context, ceremony, person, call.input)
    return {}
  })
  mountPageEndpoint(app, context, endpoints.removeAccountPasskey, async (call) => {
    const { person } = await admitWithPassword(call)
    await removePasskey(context, person, call.input.id)
    return {}
  })
  mountPageEndpoint(app, context, endpoints.renameAccountPasskey, async (call) => {
    const { userId } = await admit(call)
    const { id, name } = call.input
    await run(context.db, renamePasskey(BigInt(id), userId, name))
    return {}
  })
}
