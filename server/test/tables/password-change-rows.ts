/** Every way to change a password or to end an operator's access, so that one table of tests covers all. */
import * as accountApi from '@coffer/contract/account/account'
import * as operatorsApi from '@coffer/contract/admin/operators'
import * as ownSignIn from '@coffer/contract/admin/own-sign-in'
import * as widgetApi from '@coffer/contract/widget/widget'
import type { LightMyRequestResponse } from 'fastify'
import assert from 'node:assert/strict'
import { ask, moveEmail, type PersonSetup, type TestPerson } from '../account-setup.ts'
import { askAs, type AdminSetup, type TestOperator } from '../admin-setup.ts'
import type { MailServer } from '../mail-server.ts'
import { PASSWORD, step } from '../sign-in.ts'

export const NEW_PASSWORD = 'another harbour at dusk'

/** kept: it continues. renewed: the browser gets another one. ended: it ends like all others. */
export type Current = 'kept' | 'renewed' | 'ended'

export type PersonalSetup = PersonSetup & { mail: MailServer }

interface PersonRow {
  title: string
  file: string
  current: Current
  change: (setup: PersonalSetup, person: TestPerson) => Promise<LightMyRequestResponse>
  /** The subject of the email that the owner gets afterwards. */
  notice?: RegExp
}

/** Requests a link in the widget. */
export async function forget(setup: PersonalSetup, { email }: TestPerson) {
  const { clientId } = setup.app
  await step(setup, widgetApi.forgotPassword, { clientId, email })
  return { ticket: await setup.mail.readTicket(email), password: NEW_PASSWORD }
}

export const PERSON_ROWS: readonly PersonRow[] = [
  {
    title: 'a reset that was requested in the widget',
    file: 'server/identity/reset-password.ts',
    current: 'renewed',
    change: async (setup, person) =>
      ask(
        { harness: setup.harness, person },
        accountApi.resetAccountPassword,
        await forget(setup, person),
      ),
    notice: /^The password of your wallet was reset$/,
  },
  {
    title: 'a reset that was requested on the account page, in another browser',
    file: 'server/identity/reset-password.ts',
    current: 'ended',
    async change({ harness, mail }, { email }) {
      await ask({ harness }, accountApi.forgotAccountPassword, { email })
      const fields = { ticket: await mail.readTicket(email), password: NEW_PASSWORD }
      return ask({ harness }, accountApi.resetAccountPassword, fields)
    },
    notice: /^The password of your wallet was reset$/,
  },
  {
    title: 'the undo of a change of the email address, in another browser',
    file: 'server/identity/reset-password.ts',
    current: 'ended',
    async change(setup, person) {
      await moveEmail(setup, person)
      const ticket = await setup.mail.readUndoTicket(person.email)
      const fields = { ticket, password: NEW_PASSWORD }
      return ask({ harness: setup.harness }, accountApi.undoEmailChange, fields)
    },
    notice: /^The password of your wallet was reset$/,
  },
  {
    title: 'a change on the account page',
    file: 'server/account/change-password.ts',
    current: 'kept',
    change: ({ harness }, person) =>
      ask({ harness, person }, accountApi.changePassword, {
        password: PASSWORD,
        newPassword: NEW_PASSWORD,
      }),
    notice: /^The password of your wallet was changed$/,
  },
]

interface OperatorRow {
  title: string
  file: string
  current: Current
  password: 'new' | 'old'
  change: (setup: AdminSetup, operator: TestOperator) => Promise<LightMyRequestResponse>
  audit: { action: string; after: object }
}

const WAS = { role: 'operator', isActive: true, hasAuthenticator: true }

/** An owner cannot set another operator's password, but can end everything that it started. */
export const OPERATOR_ROWS: readonly OperatorRow[] = [
  {
    title: 'a change by the operator',
    file: 'server/admin/sign-in/change-own-password.ts',
    current: 'kept',
    password: 'new',
    change: (setup, operator) =>
      askAs(setup, operator, ownSignIn.changeOwnPassword, { newPassword: NEW_PASSWORD }),
    audit: { action: 'operator.change_password', after: { endedLogIns: 1 } },
  },
  {
    title: 'a reset of the authenticator by an owner',
    file: 'server/admin/operators/change-operator.ts',
    current: 'ended',
    password: 'old',
    change: (setup, { id }) =>
      askAs(setup, setup.owner, operatorsApi.changeOperator, {
        id: String(id),
        resetAuthenticator: true,
      }),
    audit: { action: 'operator.change', after: { ...WAS, hasAuthenticator: false } },
  },
  {
    title: 'a deactivation by an owner, even after a new activation',
    file: 'server/admin/operators/change-operator.ts',
    current: 'ended',
    password: 'old',
    async change(setup, operator) {
      const id = String(operator.id)
      const change = (isActive: boolean) =>
        askAs(setup, setup.owner, operatorsApi.changeOperator, { id, isActive })
      assert.equal((await change(false)).statusCode, 200)
      return change(true)
    },
    audit: { action: 'operator.change', after: WAS },
  },
]
