/** Every admin endpoint that changes something, with an input that really changes something. */
import assert from 'node:assert/strict'
import { logInAgain, makeNewOperator } from '../admin-setup.ts'
import { ADMIN_INPUTS } from '../contract-admin-inputs.ts'
import type { ContractService, MakeInput } from '../contract-service.ts'
import { makeClientApp, makeUser } from '../factories.ts'

export interface AuditedChange {
  makeInput: MakeInput
  /** Tables that change even if the audit entry cannot be written, and why that is not the endpoint's change. */
  except: Record<string, string>
  /** It changes no table: it only sends a request. */
  onlySends?: true
}

const reason = 'Stolen laptop, ticket 4711'
const ATTEMPTS = { 'directory.log_in_failures': 'an attempt is counted before its result is known' }
const CHALLENGE = { 'admin.passkey_challenges': 'a challenge is used up by the first attempt' }

function change(makeInput: MakeInput, except: Record<string, string> = {}): AuditedChange {
  return { makeInput, except }
}

async function newApp({ harness }: ContractService) {
  return { clientId: (await makeClientApp(harness.context)).clientId }
}

async function otherLogIn(service: ContractService) {
  const { harness, viewer } = service
  await logInAgain(service, viewer)
  const { rows } = await harness.admin.query<{ id: string }>(
    'select id from admin.log_ins where operator_id = $1 order by created_at desc limit 1',
    [viewer.id],
  )
  return { id: rows[0]?.id ?? assert.fail() }
}

export const AUDITED_CHANGES: Readonly<Record<string, AuditedChange>> = {
  finishAdminLogIn: change(ADMIN_INPUTS.finishAdminLogIn, {
    ...ATTEMPTS,
    'admin.tickets': 'an attempt is counted before its result is known',
  }),
  logInByPasskey: change(ADMIN_INPUTS.logInByPasskey, CHALLENGE),
  logOutOfAdmin: change(ADMIN_INPUTS.logOutOfAdmin),
  confirmOperator: change(ADMIN_INPUTS.confirmOperator, ATTEMPTS),
  confirmByPasskey: change(ADMIN_INPUTS.confirmByPasskey, CHALLENGE),
  addPasskey: change(ADMIN_INPUTS.addPasskey, CHALLENGE),
  removePasskey: change(ADMIN_INPUTS.removePasskey),
  changeOwnPassword: change(ADMIN_INPUTS.changeOwnPassword),
  renewRecoveryCodes: change(ADMIN_INPUTS.renewRecoveryCodes),
  endOwnLogIn: change(otherLogIn),
  endOtherLogIns: change(async (service) => {
    await otherLogIn(service)
    return {}
  }),

  createOperator: change(ADMIN_INPUTS.createOperator),
  changeOperator: change(async ({ harness }) => {
    const { id } = await makeNewOperator(harness, 'viewer')
    return { id: String(id), role: 'operator' }
  }),

  createClientApp: change(ADMIN_INPUTS.createClientApp, {
    'ledger.accounts': 'the account is opened first; without an app it stays unused',
  }),
  changeClientApp: change(ADMIN_INPUTS.changeClientApp),
  setDebitAlert: change(ADMIN_INPUTS.setDebitAlert),
  createWebhook: change(ADMIN_INPUTS.createWebhook),
  changeWebhook: change(ADMIN_INPUTS.changeWebhook),
  deleteWebhook: change(ADMIN_INPUTS.deleteWebhook),
  rotateWebhookSecret: change(ADMIN_INPUTS.rotateWebhookSecret),
  testWebhook: { ...change(ADMIN_INPUTS.testWebhook), onlySends: true },
  resendEvents: change(ADMIN_INPUTS.resendEvents),
  activateClientApp: change(async (service) => ({ ...(await newApp(service)), isActive: false })),
  rotateClientSecret: change(async (service) => ({ ...(await newApp(service)), overlap: '1h' })),
  replaceClientSecret: change(ADMIN_INPUTS.replaceClientSecret),
  revokeClientSecret: change(ADMIN_INPUTS.revokeClientSecret),

  freezeWallet: change(async ({ harness }) => {
    const { id } = await makeUser(harness.context)
    return { id: String(id), isFrozen: true, reason }
  }),
  allowHold: change(ADMIN_INPUTS.allowHold),
  erasePerson: change(async ({ harness }) => {
    const { id } = await makeUser(harness.context)
    return { id: String(id), reason }
  }),

  proposeGrant: change(ADMIN_INPUTS.proposeGrant),
  releaseHold: change(ADMIN_INPUTS.releaseHold),
  approveGrant: change(ADMIN_INPUTS.approveGrant),
  declineGrant: change(ADMIN_INPUTS.declineGrant),

  refundTopup: change(ADMIN_INPUTS.refundTopup),

  pauseClientApp: change(async (service) => ({
    ...(await newApp(service)),
    isPaused: true,
    reason,
  })),
  pauseWrites: change(() => ({ isPaused: true, reason })),
}

/** Endpoints that start something which has no effect by itself, and therefore write no entry. */
export const NOT_AUDITED: Readonly<Record<string, string>> = {
  logInToAdmin: 'a ticket for the second step; a wrong password has an entry',
  beginPasskeyLogIn: 'a challenge',
}
