import * as ownSignInEndpoints from '@coffer/contract/admin/own-sign-in'
import * as signInEndpoints from '@coffer/contract/admin/sign-in'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { areaOfOperators, findRelyingParty } from '../../http/find-relying-party.ts'
import { mountPageEndpoint } from '../../http/page-route.ts'
import {
  asHolder,
  asKnown,
  identifyCaller,
  rememberDevice,
} from '../../identity/recognize-device.ts'
import {
  createPasskeyChallenge,
  type PasskeyCeremony,
} from '../../identity/passkeys/create-challenge.ts'
import { listCredentials } from '../../identity/passkeys/list-credentials.ts'
import { OPERATORS } from '../../identity/passkeys/queries.ts'
import { ServiceError } from '../../service-error.ts'
import { mountAdminEndpoint, type AdminCall } from '../access.ts'
import { COOKIE } from '../require-operator.ts'
import { addPasskey, beginPasskey } from './add-passkey.ts'
import { changeOwnPassword } from './change-own-password.ts'
import { confirmByPasskey } from './confirm-by-passkey.ts'
import { confirmOperator } from './confirm-operator.ts'
import { endLogIn } from './end-log-in.ts'
import { endOtherLogIns, endOwnLogIn } from './end-own-log-ins.ts'
import { finishLogIn } from './finish-log-in.ts'
import { logInByPasskey } from './log-in-by-passkey.ts'
import { logIn, type LogInTools } from './log-in.ts'
import { readMe, readSignIn } from './read-sign-in.ts'
import { removePasskey } from './remove-passkey.ts'
import { renewRecoveryCodes } from './renew-recovery-codes.ts'
import { limitLogIns } from '../../identity/limit-attempts.ts'

export function mountSignInRoutes(app: FastifyInstance, context: Context, tools: LogInTools) {
  mountLogIn(app, context, tools)
  mountCurrentLogIn(app, context, tools)
  mountPasskeyLogIn(app, context)
  mountPasskeyConfirmation(app, context)
  mountPasskeys(app, context)
  mountOwnSignIn(app, context, tools)
}

function mountLogIn(app: FastifyInstance, context: Context, tools: LogInTools) {
  mountPageEndpoint(app, context, signInEndpoints.logInToAdmin, async (call) => {
    const caller = identifyCaller(context.config, 'operator', call.input.email, call)
    await limitLogIns(context, 'operator', caller)
    return logIn(tools, call.input, { ...caller, address: call.address })
  })
  mountPageEndpoint(app, context, signInEndpoints.finishAdminLogIn, async (call) => {
    await limitLogIns(context, 'operator', asHolder(call.network, call.input.ticket))
    const { email, cookie, recoveryCodes } = await finishLogIn(tools, call.input, call)
    call.setCookie(COOKIE, cookie)
    rememberDevice(context.config, 'operator', email, call)
    return { recoveryCodes }
  })
}

function mountCurrentLogIn(app: FastifyInstance, context: Context, tools: LogInTools) {
  mountAdminEndpoint(app, context, signInEndpoints.logOutOfAdmin, async (call) => {
    await endLogIn(context, call)
    call.setCookie(COOKIE, null)
    return {}
  })
  mountAdminEndpoint(app, context, signInEndpoints.confirmOperator, async (call) => {
    await limitLogIns(context, 'operator', asLoggedIn(call))
    await confirmOperator(tools, call, call.input)
    return {}
  })
  mountAdminEndpoint(app, context, signInEndpoints.readOperator, ({ operator }) =>
    readMe(context.db, operator),
  )
}

function asLoggedIn({ network, operator }: Pick<AdminCall, 'network' | 'operator'>) {
  return asKnown(network, operator.logInId, operator.email)
}

/** Passkeys belong to one hostname; under any other hostname they cannot be used. */
function ceremonyOf(
  { config }: Context,
  { host, operator }: Pick<AdminCall, 'host'> & Partial<Pick<AdminCall, 'operator'>>,
  purpose: PasskeyCeremony['purpose'],
): PasskeyCeremony {
  const party = findRelyingParty(areaOfOperators(config), host)
  if (party === undefined) throw new ServiceError('PASSKEY_INVALID')
  return { owners: OPERATORS, party, purpose, logInId: operator?.logInId ?? null }
}

function mountPasskeyLogIn(app: FastifyInstance, context: Context) {
  const { db } = context
  mountPageEndpoint(app, context, signInEndpoints.beginPasskeyLogIn, async (call) => {
    await limitLogIns(context, 'operator', call)
    return createPasskeyChallenge(db, ceremonyOf(context, call, 'log_in'))
  })
  mountPageEndpoint(app, context, signInEndpoints.logInByPasskey, async (call) => {
    await limitLogIns(context, 'operator', call)
    const signed = call.input.passkey
    call.setCookie(
      COOKIE,
      await logInByPasskey(db, ceremonyOf(context, call, 'log_in'), signed, call),
    )
    return {}
  })
}

function mountPasskeyConfirmation(app: FastifyInstance, context: Context) {
  const { db } = context
  mountAdminEndpoint(app, context, signInEndpoints.beginPasskeyConfirmation, async (call) => ({
    ...(await createPasskeyChallenge(db, ceremonyOf(context, call, 'confirm'))),
    allowed: await listCredentials(db, OPERATORS, call.operator.operatorId),
  }))
  mountAdminEndpoint(app, context, signInEndpoints.confirmByPasskey, async (call) => {
    await limitLogIns(context, 'operator', asLoggedIn(call))
    await confirmByPasskey(db, ceremonyOf(context, call, 'confirm'), call, call.input.passkey)
    return {}
  })
}

function mountPasskeys(app: FastifyInstance, context: Context) {
  const { db } = context
  mountAdminEndpoint(app, context, ownSignInEndpoints.beginPasskey, async (call) =>
    beginPasskey(db, ceremonyOf(context, call, 'add'), call.operator),
  )
  mountAdminEndpoint(app, context, ownSignInEndpoints.addPasskey, async (call) => {
    await addPasskey(db, ceremonyOf(context, call, 'add'), call, call.input)
    return {}
  })
  mountAdminEndpoint(app, context, ownSignInEndpoints.removePasskey, async (call) => {
    await removePasskey(context, call, call.input.id)
    return {}
  })
}

function mountOwnSignIn(app: FastifyInstance, context: Context, tools: LogInTools) {
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
