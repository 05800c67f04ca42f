/** Every endpoint of /account and of the widget, called with an id that belongs to somebody else. */
import * as accountApi from '@coffer/contract/account/account'
import type { Endpoint } from '@coffer/contract/endpoint'
import { WIDGET_ENDPOINTS, WIDGET_PAGE_ENDPOINTS } from '@coffer/contract/widget/widget'
import { WIDGET_CARD_ENDPOINTS } from '@coffer/contract/widget/cards'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { link } from '../../identity/link.ts'
import { ask, makePerson } from '../account-setup.ts'
import { openContractService, type ContractService } from '../contract-service.ts'
import { makeClientApp, makeLinkedUser } from '../factories.ts'
import { givePersonPasskey } from '../passkey-setup.ts'
import { call, changesNothing, type Fields } from '../setup.ts'
import { mintSession } from '../shop.ts'
import { PASSWORD } from '../sign-in.ts'
import { beginAndPay, beginOwn, inSession, post } from '../topup-setup.ts'
import { mintPersonSession, proveInWidget, saveCard, TERMS } from '../topup/card-setup.ts'

const ENDPOINTS = {
  ...accountApi.ACCOUNT_ENDPOINTS,
  ...WIDGET_ENDPOINTS,
  ...WIDGET_PAGE_ENDPOINTS,
  ...WIDGET_CARD_ENDPOINTS,
}
type Name = keyof typeof ENDPOINTS

type Send = (endpoint: Endpoint, fields: Fields) => Promise<LightMyRequestResponse>

/** Counts the calls of the card processor. */
const LIMITS = ['directory.rate_limits']

interface Row {
  /** The field with the id, and an id that does not exist. */
  field: string
  unknown: string
  /** The fields of a request for what belongs to somebody else, and how this caller sends them. */
  prepare: () => Promise<{ fields: Fields; send?: Send }>
  /** Tables that any call changes. */
  counts?: readonly string[]
}

/** The request names nothing that has an owner: the cookie, session, ticket or password decides whose data it is. */
const NAMES_NOTHING = 'names nothing'

describe('other people', () => {
  let service: ContractService
  before(async () => {
    service = await openContractService()
  })
  after(() => service.close())

  const asCaller: Send = (endpoint, fields) => ask(service, endpoint, fields)
  const asVictim = async () => ({
    harness: service.harness,
    person: await makePerson(service.harness),
  })

  async function findPasskey(): Promise<string> {
    const victim = await asVictim()
    await givePersonPasskey(victim, victim.person)
    const response = await ask(victim, accountApi.readAccount)
    const { passkeys } = response.json<{ passkeys: { id: string }[] }>()
    return passkeys[0]?.id ?? assert.fail()
  }

  const ofCard = (field: string, more: Fields = {}): Row => ({
    field,
    unknown: 'pm_unknown',
    counts: LIMITS,
    async prepare() {
      const { harness, person } = await asVictim()
      const user = { ...person, serviceUserId: '' }
      const id = await saveCard(service, { harness, person: user, user })
      return { fields: { ...more, [field]: id } }
    },
  })

  const rows: Record<Name, Row | typeof NAMES_NOTHING> = {
    unlinkApp: {
      field: 'clientId',
      unknown: `app_${'a'.repeat(24)}`,
      async prepare() {
        const app = await makeClientApp(service.harness.context)
        const { person } = await asVictim()
        await link(service.harness.context.db, app.id, person.id)
        return { fields: { clientId: app.clientId } }
      },
    },
    setSpendLimit: {
      field: 'clientId',
      unknown: `app_${'a'.repeat(24)}`,
      async prepare() {
        const app = await makeClientApp(service.harness.context)
        const { person } = await asVictim()
        await link(service.harness.context.db, app.id, person.id)
        return { fields: { clientId: app.clientId, dayMax: '1', timeZone: 'UTC' } }
      },
    },
    endLogIn: {
      field: 'id',
      unknown: randomUUID(),
      async prepare() {
        const response = await ask(await asVictim(), accountApi.readAccount)
        const { logIns } = response.json<{ logIns: { id: string }[] }>()
        return { fields: { id: logIns[0]?.id ?? assert.fail() } }
      },
    },
    removeAccountPasskey: {
      field: 'id',
      unknown: '999999999',
      prepare: async () => ({ fields: { id: await findPasskey(), password: PASSWORD } }),
    },
    renameAccountPasskey: {
      field: 'id',
      unknown: '999999999',
      prepare: async () => ({ fields: { id: await findPasskey(), name: 'Mine' } }),
    },
    createSession: {
      field: 'serviceUserId',
      unknown: `su_${'a'.repeat(32)}`,
      async prepare() {
        const { context } = service.harness
        const { serviceUserId } = await makeLinkedUser(context, await makeClientApp(context))
        const send: Send = (endpoint, fields) => call(service, endpoint, fields)
        return { fields: { serviceUserId }, send }
      },
    },
    confirmTopup: {
      field: 'paymentIntentId',
      unknown: 'pi_unknown',
      async prepare() {
        const user = await makeLinkedUser(service.harness.context, service.app)
        const { paymentIntentId } = await beginAndPay({ ...service, user })
        const session = await mintSession(service)
        const send: Send = (endpoint, fields) => post(service, inSession(endpoint, session), fields)
        return { fields: { paymentIntentId }, send }
      },
    },
    confirmOwnTopup: {
      field: 'paymentIntentId',
      unknown: 'pi_unknown',
      async prepare() {
        const { paymentIntentId } = await beginOwn(await asVictim())
        service.sandbox.complete(paymentIntentId)
        return { fields: { paymentIntentId } }
      },
    },
    setDefaultCard: ofCard('id'),
    removeCard: ofCard('id'),
    setAutomaticTopup: ofCard('cardId', TERMS),
    createOwnIntent: ofCard('cardId', { amount: '20.00' }),
    listCards: NAMES_NOTHING,
    // The password is that of the session's owner: pay-in-widget.test.ts.
    listWidgetCards: NAMES_NOTHING,
    createCardIntent: {
      ...ofCard('cardId', { amount: '20.00' }),
      counts: [...LIMITS, 'directory.links', 'directory.tickets', 'directory.widget_sessions'],
      async prepare() {
        const { fields } = await ofCard('cardId', { amount: '20.00' }).prepare()
        const own = { ...service.person, serviceUserId: '' }
        const payer = { harness: service.harness, person: own, user: own }
        await mintPersonSession(service, payer)
        const send: Send = async (endpoint, given) => {
          const { session, ticket } = await proveInWidget(service, payer)
          return post(service, inSession(endpoint, session), { ...given, ticket })
        }
        return { fields, send }
      },
    },
    readAutomaticTopup: NAMES_NOTHING,
    endAutomaticTopup: NAMES_NOTHING,
    // The ticket is a credential.
    secureAccount: NAMES_NOTHING,
    setReceipts: NAMES_NOTHING,
    setAlerts: NAMES_NOTHING,
    setLanguage: NAMES_NOTHING,
    beginAccountPasskeyLogIn: NAMES_NOTHING,
    beginAccountPasskey: NAMES_NOTHING,
    // A challenge works in one login only, and a passkey logs in its owner: passkeys.test.ts, passkey-log-in.test.ts.
    addAccountPasskey: NAMES_NOTHING,
    logInToAccountByPasskey: NAMES_NOTHING,
    beginWidgetPasskeyLogIn: NAMES_NOTHING,
    logInToWidgetByPasskey: NAMES_NOTHING,
    readTopupWallet: NAMES_NOTHING,
    readHistory: NAMES_NOTHING,
    readOwnStatement: NAMES_NOTHING,
    signUpAtAccount: NAMES_NOTHING,
    // The ticket is a credential.
    verifySignUp: NAMES_NOTHING,
    logInToAccount: NAMES_NOTHING,
    logOut: NAMES_NOTHING,
    forgotAccountPassword: NAMES_NOTHING,
    resetAccountPassword: NAMES_NOTHING,
    undoEmailChange: NAMES_NOTHING,
    readAccount: NAMES_NOTHING,
    exportHistory: NAMES_NOTHING,
    exportAccount: NAMES_NOTHING,
    unlinkAllApps: NAMES_NOTHING,
    changeProfile: NAMES_NOTHING,
    changeEmail: NAMES_NOTHING,
    // A ticket is a credential. If another person presents it, it ends: change-email.test.ts.
    verifyNewEmail: NAMES_NOTHING,
    changePassword: NAMES_NOTHING,
    deleteAccount: NAMES_NOTHING,
    readWidgetWallet: NAMES_NOTHING,
    createIntent: NAMES_NOTHING,
    signUp: NAMES_NOTHING,
    logIn: NAMES_NOTHING,
    agree: NAMES_NOTHING,
    verifyEmail: NAMES_NOTHING,
    forgotPassword: NAMES_NOTHING,
  }

  for (const [name, row] of Object.entries(rows)) {
    if (row === NAMES_NOTHING) continue
    const endpoint: Endpoint = ENDPOINTS[name as Name]

    it(`${endpoint.method} ${endpoint.path} returns the same for theirs as for an unknown one, and changes nothing`, async () => {
      const { fields, send = asCaller } = await row.prepare()
      const compare = async () => {
        const theirs = await send(endpoint, fields)
        const unknown = await send(endpoint, { ...fields, [row.field]: row.unknown })
        assert.equal(theirs.body, unknown.body)
        assert.equal(theirs.statusCode, unknown.statusCode)
      }
      await changesNothing(service, compare, row.counts)
    })
  }
})
