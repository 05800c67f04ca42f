/** The two kinds of login, of people and of operators, so that one table of tests covers both. */
import * as accountApi from '@coffer/contract/account/account'
import { logInToAccountByPasskey } from '@coffer/contract/account/passkeys'
import * as ownSignIn from '@coffer/contract/admin/own-sign-in'
import * as signIn from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import type pg from 'pg'
import { pruneLogIns } from '../../account/require-log-in.ts'
import { pruneAdminLogIns } from '../../admin/require-operator.ts'
import { ask, logInAs, makePerson, moveEmail } from '../account-setup.ts'
import { beginLogIn, freshCode, makeOperator } from '../admin-setup.ts'
import type { EndpointName } from '../contract-endpoints.ts'
import type { Harness } from '../harness.ts'
import type { MailServer } from '../mail-server.ts'
import {
  givePasskey,
  givePersonPasskey,
  requestLogInChallenge,
  requestPersonChallenge,
} from '../passkey-setup.ts'
import { PASSWORD } from '../sign-in.ts'

export interface LogInSetup {
  harness: Harness
  mail: MailServer
}

type Headers = Record<string, string>
/** Logs in once more and sends these headers with the request that sets the cookie. */
type Start = (headers?: Headers) => Promise<LightMyRequestResponse>
type Starts = Partial<Record<EndpointName, Start>>

/** A logged-in person or operator, and every way in which they can log in. */
export interface Owner {
  id: bigint
  cookie: string
  starts: Starts
}

export interface LogInKind {
  title: string
  table: string
  /** The column of the owner. */
  owner: string
  cookie: string
  idleMinutes: number
  hours: number
  /** The endpoints that set its cookie. `make` returns a start for each of them. */
  startedBy: readonly EndpointName[]
  /** The endpoints that create an account and set its cookie. */
  createdBy: readonly EndpointName[]
  /** Requires the login and changes nothing. */
  read: Endpoint
  logOut: Endpoint
  /** The endpoint whose response lists the logins. */
  list: Endpoint
  endOne: Endpoint
  /** undefined: only a new password ends all others. */
  endOthers: Endpoint | undefined
  make: (setup: LogInSetup) => Promise<Owner>
  prune: (tools: { db: pg.Pool }) => Promise<unknown>
}

async function makePersonWithStarts({ harness, mail }: LogInSetup): Promise<Owner> {
  const { id, email, cookie } = await makePerson(harness)
  const starts: Starts = {
    logInToAccount: (headers) =>
      ask({ harness }, accountApi.logInToAccount, { email, password: PASSWORD }, headers),
    async logInToAccountByPasskey(headers) {
      const owner = { cookie: await logInAs(harness, email) }
      const passkey = await givePersonPasskey({ harness }, owner)
      const fields = { passkey: passkey.sign(await requestPersonChallenge({ harness })) }
      return ask({ harness }, logInToAccountByPasskey, fields, headers)
    },
    async resetAccountPassword(headers) {
      await ask({ harness }, accountApi.forgotAccountPassword, { email })
      const fields = { ticket: await mail.readTicket(email), password: PASSWORD }
      return ask({ harness }, accountApi.resetAccountPassword, fields, headers)
    },
    async undoEmailChange(headers) {
      await moveEmail({ harness, mail }, { cookie: await logInAs(harness, email) })
      const fields = { ticket: await mail.readUndoTicket(email), password: PASSWORD }
      return ask({ harness }, accountApi.undoEmailChange, fields, headers)
    },
  }
  return { id, cookie, starts }
}

async function makeOperatorWithStarts({ harness }: LogInSetup): Promise<Owner> {
  const operator = await makeOperator(harness, 'viewer')
  const passkey = await givePasskey({ harness }, operator)
  const starts: Starts = {
    async finishAdminLogIn(headers) {
      const ticket = await beginLogIn(harness, operator)
      const fields = { ticket, code: await freshCode(harness, operator) }
      return ask({ harness }, signIn.finishAdminLogIn, fields, headers)
    },
    async logInByPasskey(headers) {
      const fields = { passkey: passkey.sign(await requestLogInChallenge({ harness })) }
      return ask({ harness }, signIn.logInByPasskey, fields, headers)
    },
  }
  return { id: operator.id, cookie: operator.cookie, starts }
}

export const LOG_IN_KINDS: readonly LogInKind[] = [
  {
    title: 'a person',
    table: 'directory.log_ins',
    owner: 'service_user_id',
    cookie: '__Host-coffer',
    idleMinutes: 30,
    hours: 12,
    startedBy: [
      'logInToAccount',
      'logInToAccountByPasskey',
      'resetAccountPassword',
      'undoEmailChange',
    ],
    createdBy: ['verifySignUp'],
    read: accountApi.readAccount,
    logOut: accountApi.logOut,
    list: accountApi.readAccount,
    endOne: accountApi.endLogIn,
    endOthers: undefined,
    make: makePersonWithStarts,
    prune: pruneLogIns,
  },
  {
    title: 'an operator',
    table: 'admin.log_ins',
    owner: 'operator_id',
    cookie: '__Host-coffer-admin',
    idleMinutes: 15,
    hours: 8,
    startedBy: ['finishAdminLogIn', 'logInByPasskey'],
    createdBy: [],
    read: signIn.readOperator,
    logOut: signIn.logOutOfAdmin,
    list: ownSignIn.readSignIn,
    endOne: ownSignIn.endOwnLogIn,
    endOthers: ownSignIn.endOtherLogIns,
    make: makeOperatorWithStarts,
    prune: pruneAdminLogIns,
  },
]

const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Strict'

/**
 * The response starts a login: a new random cookie that only our own pages get. A second one may recognize the device
 * at the next login. Returns the Cookie header of the login.
 */
export function assertStarted(
  { cookie }: LogInKind,
  { statusCode, headers, body }: LightMyRequestResponse,
): string {
  assert.equal(statusCode, 200, body)
  const [login, device, ...others] = [headers['set-cookie']].flat().map(String)
  const form = new RegExp(`^${cookie}=([\\w-]{43}); ${ATTRIBUTES}$`)
  const token = form.exec(login ?? '')?.[1]
  assert(token, `Set-Cookie: ${login}`)
  const deviceForm = `^${cookie}-device=[\\w-]{22}\\.\\d{13}\\.[\\w-]{43}; Max-Age=15552000; ${ATTRIBUTES}$`
  if (device !== undefined) assert.match(device, new RegExp(deviceForm))
  assert.deepEqual(others, [])
  return `${cookie}=${token}`
}

/** The response removes the cookie. */
export function assertRemoved({ cookie }: LogInKind, { headers }: LightMyRequestResponse) {
  assert.equal(headers['set-cookie'], `${cookie}=; Max-Age=0; ${ATTRIBUTES}`)
}
