/** The operator's own sign-in, and passkeys wherever they are used. */
import * as ownSignInEndpoints from '@coffer/contract/admin/own-sign-in'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { findRelyingParty } from '../../http/find-relying-party.ts'
import { mountPageEndpoint } from '../../http/page-route.ts'
import { ServiceError } from '../../service-error.ts'
import { addPasskey, beginPasskey, listCredentials } from './add-passkey.ts'
import { mountAdminEndpoint, type AdminCall } from '../access.ts'
import { askPasskey, type Asking } from './create-passkey-challenge.ts'
import { changeOwnPassword } from './change-own-password.ts'
import { confirmByPasskey } from './confirm-by-passkey.ts'
import { endOtherLogIns, endOwnLogIn } from './end-own-log-ins.ts'
import { logInByPasskey } from './log-in-by-passkey.ts'
import type { LogInTools } from './log-in.ts'
import { passDoor } from './throttle-log-in.ts'
import { readSignIn } from './read-sign-in.ts'
import { removePasskey } from './remove-passkey.ts'
import { renewRecoveryCodes } from './renew-recovery-codes.ts'
import { COOKIE } from '../require-operator.ts'

export function mountSelfRoutes(app: FastifyInstance, context: Context, tools: LogInTools) {
  mountPasskeyDoor(app, context)
  mountPasskeyConfirmation(app, context)
  mountPasskeys(app, context)
  mountSignIn(app, context, tools)
}

/** Passkeys belong to an address; at any other one there are none. */
function asking(
  { config }: Context,
  { host, operator }: Pick<AdminCall, 'host'> & Partial<Pick<AdminCall, 'operator'>>,
  purpose: Asking['purpose'],
): Asking {
  const party = findRelyingParty(config, host)
  if (party === undefined) throw new ServiceError('PASSKEY_INVALID')
  return { party, purpose, logInId: operator?.logInId ?? null }
}

function mountPasskeyDoor(app: FastifyInstance, context: Context) {
  const { db } = context
  mountPageEndpoint(app, context, signInEndpoints.beginPasskeyLogIn, async (call) => {
    passDoor(context, call.address)
    return askPasskey(db, asking(context, call, 'log_in'))
  })
  mountPageEndpoint(app, context, signInEndpoints.logInByPasskey, async (call) => {
    passDoor(context, call.address)
    const signed = call.input.passkey
    call.setCookie(COOKIE, await logInByPasskey(db, asking(context, call, 'log_in'), signed, call))
    return {}
  })
}

function mountPasskeyConfirmation(app: FastifyInstance, context: Context) {
  const { db } = context
  mountAdminEndpoint(app, context, signInEndpoints.beginPasskeyConfirmation, async (call) => ({
    ...(await askPasskey(db, asking(context, call, 'confirm'))),
    allowed: await listCredentials(db, call.operator.operatorId),
  }))
  mountAdminEndpoint(app, context, signInEndpoints.confirmByPasskey, async (call) => {
    passDoor(context, call.address)
    await confirmByPasskey(db, asking(context, call, 'confirm'), call, call.input.passkey)
    return {}
  })
}

function mountPasskeys(app: FastifyInstance, context: Context) {
  const { db } = context
  mountAdminEndpoint(app, context, ownSignInEndpoints.beginPasskey, async (call) =>
    beginPasskey(db, asking(context, call, 'add'), call.operator),
  )
  mountAdminEndpoint(app, context, ownSignInEndpoints.addPasskey, async (call) => {
    await addPasskey(db, asking(context, call, 'add'), call, call.input)
    return {}
  })
  mountAdminEndpoint(app, context, ownSignInEndpoints.removePasskey, async (call) => {
    await removePasskey(context, call, call.input.id)
    return {}
  })
}

function mountSignIn(app: FastifyInstance, context: Context, tools: LogInTools) {
  mountAdminEndpoint(app, context, ownSignInEndpoints.readSignIn, ({ operator }) =>
    readSignIn(context.db, operator),
  )
  mountAdminEndpoint(app, context, ownSignInEndpoints.changeOwnPassword, async (call) => {
    await changeOwnPassword(context, call, call.input.newPassword)
    return {}
  })
  mountAdminEndpoint(app, context, ownSignInEndpoints.renewRecoveryCodes, async (call) => ({
    recoveryCodes: await renewRecoveryCodes(tools, call),
  }))
  mountAdminEndpoint(app, context, ownSignInEndpoints.endOwnLogIn, async (call) => {
    await endOwnLogIn(context, call, call.input.id)
    return {}
  })
  mountAdminEndpoint(app, context, ownSignInEndpoints.endOtherLogIns, async (call) => {
    await endOtherLogIns(context, call)
    return {}
  })
}
