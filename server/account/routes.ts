import { setAlerts as alertsEndpoint } from '@coffer/contract/account/alerts'
import * as endpoints from '@coffer/contract/account/account'
import * as safety from '@coffer/contract/account/safety'
import { readOwnStatement as statementEndpoint } from '@coffer/contract/account/statement'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { logIn } from '../identity/log-in.ts'
import { notifyOwner } from '../identity/notify-owner.ts'
import type { Person } from '../identity/queries.ts'
import { limitLogIns } from '../identity/limit-attempts.ts'
import { asHolder, asKnown, identifyCaller, rememberDevice } from '../identity/recognize-device.ts'
import { forgotPassword, resetPassword } from '../identity/reset-password.ts'
import { withLanguage } from '../identity/with-language.ts'
import type { Context } from '../context.ts'
import { run } from '../database/statement.ts'
import { mountPageEndpoint, type PageCall } from '../http/page-route.ts'
import { ServiceError } from '../service-error.ts'
import { setAlerts } from './alerts/set-alerts.ts'
import { changeEmail, verifyNewEmail } from './change-email.ts'
import { changePassword } from './change-password.ts'
import { deleteAccount } from './delete-account.ts'
import { endLogIn } from './end-log-in.ts'
import { nameDevice } from './name-device.ts'
import { mountExports } from './export-routes.ts'
import { mountPasskeyLogIn, mountPasskeys } from './passkey-routes.ts'
import { setLanguage, setName, setReceipts } from './queries.ts'
import { readAccount } from './read-account.ts'
import { readHistory } from './read-history.ts'
import { readStatement } from './read-statement.ts'
import type { LoggedIn } from './log-in-queries.ts'
import { COOKIE, requireLogIn, startLogIn } from './require-log-in.ts'
import { secureAccount } from './secure-account.ts'
import { mountSpendLimit } from './spend-limit-routes.ts'
import { mountSignUp } from './sign-up-routes.ts'
import { mountAutomaticTopup, mountTopup } from './topup-routes.ts'
import { undoEmailChange } from './undo-email-change.ts'
import { unlinkAllApps, unlinkApp } from './unlink-app.ts'

/** Identifies the caller, by the cookie only. Emails to a person who has chosen no language are in that of the browser. */
type Admit = (call: Pick<PageCall<z.ZodObject>, 'cookie' | 'language'>) => Promise<LoggedIn>

export function mountAccountRoutes(app: FastifyInstance, context: Context) {
  async function admit({ cookie, language }: Parameters<Admit>[0]) {
    const person = withLanguage(await requireLogIn(context, cookie(COOKIE)), language)
    const isAllowed = context.throttles.mayCallAccountApi(String(person.userId))
    if (!isAllowed) throw new ServiceError('RATE_LIMITED')
    return person
  }
  mountSignIn(app, context)
  mountViews(app, context, admit)
  mountExports(app, context, admit)
  mountChanges(app, context, admit)
  mountChangesWithPassword(app, context, admit)
  mountTopup(app, context, admit)
}

function mountSignIn(app: FastifyInstance, context: Context) {
  /** Returns whether the person has used this browser before. */
  async function logInAs(person: Person, call: PageCall<z.ZodObject>): Promise<boolean> {
    const token = await startLogIn(context, person, call.userAgent, call.cookie(COOKIE))
    call.setCookie(COOKIE, token)
    const { email, passwordChangedAt } = person
    return rememberDevice(context.config, 'person', email, call, passwordChangedAt)
  }
  /** Notifies the owner of a login with a browser that is new. */
  async function enter(person: Person, call: PageCall<z.ZodObject>) {
    const isKnown = await logInAs(person, call)
    const device = nameDevice(call.userAgent)
    if (isKnown) return
    const owner = withLanguage(person, call.language)
    await notifyOwner(context, owner, (mails, warning) => mails.newLogIn(device, warning))
  }
  mountSignUp(app, context, logInAs)
  mountPasskeyLogIn(app, context, enter)
  mountPageEndpoint(app, context, endpoints.logInToAccount, async (call) => {
    const caller = identifyCaller(context.config, 'person', call.input.email, call)
    await limitLogIns(context, 'person', caller)
    await enter(await logIn(context, call.input, caller), call)
    return {}
  })
  mountPageEndpoint(app, context, endpoints.forgotAccountPassword, async (call) => {
    await limitLogIns(context, 'person', { network: call.network })
    await forgotPassword(context, call.input.email, call.language)
    return {}
  })
  mountPageEndpoint(app, context, endpoints.resetAccountPassword, async (call) => {
    const { input, network, language } = call
    await limitLogIns(context, 'person', asHolder(network, input.ticket))
    const person = await resetPassword(context, { ...input, language }, { network })
    await logInAs(person, call).catch(toCodeInvalid)
    return {}
  })
  mountPageEndpoint(app, context, safety.secureAccount, async ({ input, network }) => {
    await limitLogIns(context, 'person', asHolder(network, input.ticket))
    await secureAccount(context, input.ticket)
    return {}
  })
  mountPageEndpoint(app, context, endpoints.undoEmailChange, async (call) => {
    const { input, network, language } = call
    await limitLogIns(context, 'person', asHolder(network, input.ticket))
    const person = await undoEmailChange(context, { ...input, language }, { network })
    await logInAs(person, call).catch(toCodeInvalid)
    return {}
  })
}

function mountViews(app: FastifyInstance, context: Context, admit: Admit) {
  mountPageEndpoint(app, context, endpoints.readAccount, async (call) =>
    readAccount(context, await admit(call)),
  )
  mountPageEndpoint(app, context, endpoints.readHistory, async (call) =>
    readHistory(context, await admit(call), call.input),
  )
  mountPageEndpoint(app, context, statementEndpoint, async (call) =>
    readStatement(context, await admit(call), call.input),
  )
}

function mountChanges(app: FastifyInstance, context: Context, admit: Admit) {
  const { db } = context
  mountPageEndpoint(app, context, endpoints.logOut, async (call) => {
    const person = await admit(call)
    await endLogIn(context, person, person.logInId)
    call.setCookie(COOKIE, null)
    return {}
  })
  mountPageEndpoint(app, context, endpoints.endLogIn, async (call) => {
    await endLogIn(context, await admit(call), call.input.id)
    return {}
  })
  mountPageEndpoint(app, context, endpoints.unlinkApp, async (call) => {
    await unlinkApp(context, await admit(call), call.input.clientId)
    return {}
  })
  mountPageEndpoint(app, context, endpoints.unlinkAllApps, async (call) => {
    await unlinkAllApps(context, await admit(call))
    return {}
  })
  mountPageEndpoint(app, context, endpoints.changeProfile, async (call) => {
    const { userId } = await admit(call)
    await run(db, setName(userId, call.input.firstName, call.input.lastName))
    return {}
  })
  mountPageEndpoint(app, context, safety.setReceipts, async (call) => {
    const { userId } = await admit(call)
    await run(db, setReceipts(userId, call.input.wantsReceipts))
    return {}
  })
  mountPageEndpoint(app, context, alertsEndpoint, async (call) => {
    const { userId } = await admit(call)
    await setAlerts(context, userId, call.input)
    return {}
  })
  mountPageEndpoint(app, context, safety.setLanguage, async (call) => {
    const { userId } = await admit(call)
    await run(db, setLanguage(userId, call.input.language))
    return {}
  })
  mountPageEndpoint(app, context, endpoints.verifyNewEmail, async (call) => {
    const person = await admit(call)
    await limitLogIns(context, 'person', asKnown(call.network, person.logInId, person.email))
    await verifyNewEmail(context, person, call.input)
    return {}
  })
}

/** Requires the password again, so that somebody at an unattended browser cannot do it. */
function mountChangesWithPassword(app: FastifyInstance, context: Context, admit: Admit) {
  async function admitWithPassword(call: PageCall<z.ZodObject<{ password: z.ZodString }>>) {
    const person = await admit(call)
    const { email, logInId } = person
    await limitLogIns(context, 'person', identifyCaller(context.config, 'person', email, call))
    const caller = asKnown(call.network, logInId, email)
    const checked = await logIn(context, { email, password: call.input.password }, caller)
    return { person, checked, caller }
  }
  mountPasskeys(app, context, admit, admitWithPassword)
  mountAutomaticTopup(app, context, admit, admitWithPassword)
  mountSpendLimit(app, context, admit, admitWithPassword)
  mountPageEndpoint(app, context, endpoints.changeEmail, async (call) => {
    const { person } = await admitWithPassword(call)
    return changeEmail(context, person, call.input.email)
  })
  mountPageEndpoint(app, context, endpoints.changePassword, async (call) => {
    const { person, checked, caller } = await admitWithPassword(call)
    await changePassword(context, person, checked, call.input.newPassword, caller)
    return {}
  })
  mountPageEndpoint(app, context, endpoints.deleteAccount, async (call) => {
    const { person } = await admitWithPassword(call)
    await deleteAccount(context, person)
    call.setCookie(COOKIE, null)
    return {}
  })
}

/** The password was changed once more at the same time. */
function toCodeInvalid(error: unknown): never {
  const isPasswordChanged = error instanceof ServiceError && error.code === 'LOGIN_FAILED'
  throw isPasswordChanged ? new ServiceError('CODE_INVALID') : error
}
