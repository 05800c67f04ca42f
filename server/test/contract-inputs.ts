/** An input that each endpoint accepts. A new endpoint needs an entry here, and gets its shared tests by it. */
import { hash, randomBytes, randomUUID } from 'node:crypto'
import * as accountApi from '@coffer/contract/account/account'
import { signUpAtAccount } from '@coffer/contract/account/sign-up'
import { hold } from '@coffer/contract/server/holds'
import { debit } from '@coffer/contract/server/wallet'
import type { WEBHOOK_ENDPOINTS } from '@coffer/contract/server/webhooks'
import * as widgetApi from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { run } from '../database/statement.ts'
import { insertTicket } from '../identity/ticket-queries.ts'
import { issueTicket } from '../identity/ticket.ts'
import { ask, logInAs, moveEmail } from './account-setup.ts'
import { ADMIN_INPUTS } from './contract-admin-inputs.ts'
import type { EndpointName } from './contract-endpoints.ts'
import { PASSKEY_INPUTS } from './contract-passkey-inputs.ts'
import type { ContractService, MakeInput } from './contract-service.ts'
import { ownWebhookFields } from './events/own-webhook-fields.ts'
import { makeIdleWebhook } from './events/webhook-setup.ts'
import { makeClientApp, makeLinkCode } from './factories.ts'
import { call, type Fields } from './setup.ts'
import { mintSession } from './shop.ts'
import { inventEmail, makePerson, newAccount, newcomer, PASSWORD, step } from './sign-in.ts'
import { beginAndPay, beginOwn } from './topup-setup.ts'
import { attachCard, saveCard, TERMS } from './topup/card-setup.ts'

const NEW_PASSWORD = 'another harbour at dusk'
const nothing = () => ({})

function operation({ user }: ContractService): Fields {
  const reference = { referenceType: 'ORDER', referenceId: randomUUID() }
  return { serviceUserId: user.serviceUserId, amount: '1.00', ...reference }
}

/** The user of the client app gets the password of the person. */
async function givePassword({ harness, user, person }: ContractService) {
  await harness.admin.query(
    `update directory.people set password_hash = other.password_hash
     from (select password_hash from directory.people where service_user_id = $2) other
     where service_user_id = $1 and people.password_hash is null`,
    [user.id, person.id],
  )
}

function payerOf({ harness, person }: ContractService) {
  return {
    harness,
    person: { ...person, serviceUserId: '' },
    user: { ...person, serviceUserId: '' },
  }
}

async function debitOf(service: ContractService) {
  const { referenceType, referenceId, ...fields } = operation(service)
  const pair = { referenceType, referenceId }
  assert.equal((await call(service, debit, { ...fields, ...pair })).statusCode, 200)
  return pair
}

async function holdOf(service: ContractService) {
  const { referenceType, referenceId, ...fields } = operation(service)
  const pair = { referenceType, referenceId }
  assert.equal((await call(service, hold, { ...fields, ...pair })).statusCode, 200)
  return pair
}

const holdChange = async (service: ContractService) => ({
  hold: await holdOf(service),
  referenceType: 'END',
  referenceId: randomUUID(),
})

const ofWebhook = (name: keyof typeof WEBHOOK_ENDPOINTS) => async (service: ContractService) => {
  const { webhookId } = await makeIdleWebhook(service.harness, service.app)
  return ownWebhookFields(webhookId)[name]
}

export const INPUTS: Readonly<Record<EndpointName, MakeInput>> = {
  readWallet: ({ user }) => ({ serviceUserId: user.serviceUserId }),
  checkBalance: ({ user }) => ({ serviceUserId: user.serviceUserId, requiredAmount: '1.00' }),
  debit: operation,
  credit: operation,
  refund: async (service) => ({
    debit: await debitOf(service),
    amount: '1.00',
    referenceType: 'REFUND',
    referenceId: randomUUID(),
  }),
  hold: operation,
  capture: holdChange,
  release: holdChange,
  listHolds: ({ user }) => ({ serviceUserId: user.serviceUserId }),
  batch: (service) => ({ operations: [{ type: 'debit', ...operation(service) }] }),
  findOperation: debitOf,
  listOwnOperations: nothing,
  exportOperations: () => ({ month: '2026-01' }),
  readEvents: nothing,
  listOwnWebhooks: nothing,
  createOwnWebhook: ofWebhook('createOwnWebhook'),
  changeOwnWebhook: ofWebhook('changeOwnWebhook'),
  deleteOwnWebhook: ofWebhook('deleteOwnWebhook'),
  rotateOwnWebhookSecret: ofWebhook('rotateOwnWebhookSecret'),
  testOwnWebhook: ofWebhook('testOwnWebhook'),
  listOwnDeliveries: ofWebhook('listOwnDeliveries'),
  resendOwnEvents: ofWebhook('resendOwnEvents'),
  exchangeLinkCode: ({ harness, user }) => makeLinkCode(harness.context, user.serviceUserId),

  createSession: ({ user }) => ({ serviceUserId: user.serviceUserId }),
  readWidgetWallet: async (service) => ({ session: await mintSession(service) }),
  createIntent: async (service) => ({ session: await mintSession(service), amount: '20.00' }),
  confirmTopup: async (service) => {
    const { session, paymentIntentId } = await beginAndPay(service)
    return { session, paymentIntentId }
  },

  listWidgetCards: async (service) => {
    await givePassword(service)
    return { session: await mintSession(service), password: PASSWORD }
  },
  createCardIntent: async (service) => {
    const { app, user, harness } = service
    const cardId = await attachCard(service, { person: user }, 'pm_card_visa')
    const proof = { purpose: 'saved_card', clientAppId: app.id, userId: user.id } as const
    const ticket = await issueTicket(harness.context.db, proof)
    return { session: await mintSession(service), ticket, cardId, amount: '20.00' }
  },

  signUp: newcomer,
  logIn: async (service) => {
    const { email, password } = await makePerson(service)
    return { clientId: service.app.clientId, email, password }
  },
  agree: async (service) => {
    const { email, password } = await makePerson(service)
    const fields = { clientId: service.app.clientId, email, password }
    return { ticket: (await step(service, widgetApi.logIn, fields)).ticket }
  },
  verifyEmail: async (service) => {
    const fields = newcomer(service)
    const { ticket } = await step(service, widgetApi.signUp, fields)
    return { ticket, code: await service.mail.readCode(fields.email) }
  },
  forgotPassword: async (service) => ({
    clientId: service.app.clientId,
    email: (await makePerson(service)).email,
  }),

  signUpAtAccount: newAccount,
  verifySignUp: async (service) => {
    const fields = newAccount()
    const response = await ask({ harness: service.harness }, signUpAtAccount, fields)
    const { ticket } = response.json<{ ticket: string }>()
    return { ticket, code: await service.mail.readCode(fields.email) }
  },
  logInToAccount: ({ person }) => ({ email: person.email, password: PASSWORD }),
  logOut: nothing,
  forgotAccountPassword: async (service) => ({ email: (await makePerson(service)).email }),
  resetAccountPassword: async (service) => {
    const { email } = await makePerson(service)
    await ask(service, accountApi.forgotAccountPassword, { email })
    return { ticket: await service.mail.readTicket(email), password: NEW_PASSWORD }
  },
  undoEmailChange: async (service) => {
    const { email } = await makePerson(service)
    await moveEmail(service, { cookie: await logInAs(service.harness, email) })
    return { ticket: await service.mail.readUndoTicket(email), password: NEW_PASSWORD }
  },
  readAccount: nothing,
  readHistory: nothing,
  readOwnStatement: () => ({ month: '2026-01', timeZone: 'Europe/Berlin' }),
  exportHistory: nothing,
  exportAccount: nothing,
  unlinkApp: ({ app }) => ({ clientId: app.clientId }),
  unlinkAllApps: nothing,
  changeProfile: () => ({ firstName: 'Grace', lastName: 'Hopper' }),
  changeEmail: () => ({ email: inventEmail(), password: PASSWORD }),
  verifyNewEmail: async (service) => {
    const fields = { email: inventEmail(), password: PASSWORD }
    const response = await ask(service, accountApi.changeEmail, fields)
    const { ticket } = response.json<{ ticket: string }>()
    return { ticket, code: await service.mail.readCode(fields.email) }
  },
  changePassword: () => ({ password: PASSWORD, newPassword: NEW_PASSWORD }),
  endLogIn: async (service) => {
    await logInAs(service.harness, service.person.email)
    const response = await ask(service, accountApi.readAccount)
    const { logIns } = response.json<{ logIns: { id: string; isThis: boolean }[] }>()
    return { id: logIns.find(({ isThis }) => !isThis)?.id ?? assert.fail() }
  },
  deleteAccount: () => ({ password: PASSWORD }),
  secureAccount: async (service) => {
    const { email } = await makePerson(service)
    await logInAs(service.harness, email)
    return { ticket: await service.mail.readWarningTicket(email) }
  },
  setAlerts: () => ({ paymentMin: '50.00', balanceMin: '10.00' }),
  setReceipts: () => ({ wantsReceipts: false }),
  setLanguage: () => ({ language: 'de' }),
  setSpendLimit: ({ app }) => ({ clientId: app.clientId, dayMax: '20.00', timeZone: 'UTC' }),
  ...PASSKEY_INPUTS,
  readTopupWallet: nothing,
  createOwnIntent: () => ({ amount: '20.00' }),
  confirmOwnTopup: async (service) => {
    const { paymentIntentId } = await beginOwn(service)
    service.sandbox.complete(paymentIntentId)
    return { paymentIntentId }
  },
  listCards: nothing,
  setDefaultCard: async (service) => ({ id: await saveCard(service, payerOf(service)) }),
  removeCard: async (service) => ({ id: await saveCard(service, payerOf(service)) }),
  readAutomaticTopup: nothing,
  setAutomaticTopup: async (service) => ({
    ...TERMS,
    cardId: await saveCard(service, payerOf(service)),
  }),
  endAutomaticTopup: nothing,

  collectClientSecret: async ({ harness }) => {
    const { id } = await makeClientApp(harness.context)
    const ticket = randomBytes(24).toString('base64url')
    const link = { purpose: 'client_secret', clientAppId: id } as const
    await run(harness.context.db, insertTicket(hash('sha256', ticket, 'buffer'), link, null, 10))
    return { ticket }
  },

  ...ADMIN_INPUTS,
}
