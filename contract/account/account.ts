/** The person's own area. No client app can call it; all but the sign-in endpoints need the person's login. */
import { z } from 'zod'
import { alerts, setAlerts } from './alerts.ts'
import * as automaticTopup from './automatic-topup.ts'
import * as cards from './cards.ts'
import { ANY_PERSON_GET, ANY_PERSON_POST } from './errors.ts'
import * as passkeys from './passkeys.ts'
import { language, SAFETY_ENDPOINTS } from './safety.ts'
import { setSpendLimit, spendLimit } from './spend-limit.ts'
import { readOwnStatement } from './statement.ts'
import { signUpAtAccount, verifySignUp } from './sign-up.ts'
import * as topup from './topup.ts'
import { defineEndpoint } from '../endpoint.ts'
import { ownPasskey } from '../passkey-shapes.ts'
import * as shape from '../shapes.ts'
import { ANY_PAGE_POST } from '../widget/widget.ts'

const nothing = z.object({})

export const logInToAccount = defineEndpoint({
  method: 'POST',
  path: '/api/account/log-in',
  summary: 'Log in',
  description: 'Sets the login cookie.',
  input: z.object({ email: shape.email, password: shape.password }),
  response: nothing,
  errors: { ...ANY_PAGE_POST, LOGIN_FAILED: {} },
})

export const logOut = defineEndpoint({
  method: 'POST',
  path: '/api/account/log-out',
  summary: 'Log out',
  description: 'Ends this login.',
  input: nothing,
  response: nothing,
  errors: ANY_PERSON_POST,
})

export const forgotAccountPassword = defineEndpoint({
  method: 'POST',
  path: '/api/account/forgot',
  summary: 'Request a link to reset a password',
  description:
    'Sends the link by email. The response is the same whether or not the account exists.',
  input: z.object({ email: shape.email }),
  response: nothing,
  errors: ANY_PAGE_POST,
})

export const resetAccountPassword = defineEndpoint({
  method: 'POST',
  path: '/api/account/reset',
  summary: 'Reset a password',
  description:
    'Requires the ticket from the link in the email. Ends all other logins, removes all passkeys and sets the cookie of a new login.',
  input: z.object({ ticket: shape.ticket, password: shape.password }),
  response: nothing,
  errors: { ...ANY_PAGE_POST, CODE_INVALID: {}, PASSWORD_REFUSED: {} },
})

export const readAccount = defineEndpoint({
  method: 'GET',
  path: '/api/account',
  summary: 'Read the account',
  description:
    'Returns the person, the wallet, the linked apps, the active logins and the passkeys.',
  input: nothing,
  response: z.object({
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    balance: shape.money,
    debt: shape.money,
    held: shape.money.describe(
      'The amount that apps have reserved. It is not part of the balance.',
    ),
    currency: shape.currency,
    isActive: z.boolean(),
    wantsReceipts: z.boolean().describe('Whether the person gets an email for every top-up.'),
    alerts,
    language,
    apps: z.array(
      z.object({
        clientId: z.string(),
        name: z.string(),
        linkedAt: shape.timestamp,
        limit: spendLimit.nullable().describe('What the app may take; null: no limit.'),
      }),
    ),
    logIns: z.array(
      z.object({
        id: z.string(),
        isThis: z.boolean(),
        device: z.string(),
        createdAt: shape.timestamp,
        lastSeenAt: shape.timestamp,
      }),
    ),
    passkeys: z.array(ownPasskey),
  }),
  errors: ANY_PERSON_GET,
})

const historyInput = z.object({
  search: shape.search.optional(),
  type: z.enum(['debit', 'credit']).optional(),
  source: z.enum(['app', 'topup', 'bonus', 'dispute', 'correction', 'hold']).optional(),
  ...shape.days,
  timeZone: shape.timeZone.optional().describe('The time zone of `from` and `to`. Default: UTC.'),
})

export const readHistory = defineEndpoint({
  method: 'GET',
  path: '/api/account/history',
  summary: 'Read the history',
  description: 'Returns all entries of the wallet that match, newest first.',
  input: historyInput.extend({ cursor: shape.cursor.optional() }),
  response: z.object({
    transactions: z.array(shape.ownTransaction),
    nextCursor: z.string().nullable(),
    archivedBefore: shape.day
      .nullable()
      .describe(
        'On the last page: entries before this day are archived and not listed; null: no entries are archived.',
      ),
  }),
  errors: ANY_PERSON_GET,
})

/** Streams text/csv, so the response has no JSON schema. */
export const exportHistory = defineEndpoint({
  method: 'GET',
  path: '/api/account/history.csv',
  summary: 'Export the history',
  description: 'Returns the same entries as a CSV file.',
  input: historyInput,
  response: nothing,
  errors: ANY_PERSON_GET,
})

export const unlinkApp = defineEndpoint({
  method: 'POST',
  path: '/api/account/unlink',
  summary: 'Unlink a client app',
  description: 'Ends the link and its sessions. A new link gets a new id.',
  input: z.object({ clientId: shape.id }),
  response: nothing,
  errors: ANY_PERSON_POST,
})

export const unlinkAllApps = defineEndpoint({
  method: 'POST',
  path: '/api/account/unlink-all',
  summary: 'Unlink all client apps',
  description: 'Ends all links and their sessions.',
  input: nothing,
  response: nothing,
  errors: ANY_PERSON_POST,
})

export const changeProfile = defineEndpoint({
  method: 'POST',
  path: '/api/account/profile',
  summary: 'Change the name',
  description: 'First and last name.',
  input: z.object({ firstName: shape.personName, lastName: shape.personName }),
  response: nothing,
  errors: ANY_PERSON_POST,
})

export const changeEmail = defineEndpoint({
  method: 'POST',
  path: '/api/account/email',
  summary: 'Change the email',
  description:
    'Sends a code to the new address. Without a mail server, changes the address immediately.',
  input: z.object({ email: shape.email, password: shape.password }),
  response: z.object({ ticket: shape.ticket.optional().describe('Present if a code was sent.') }),
  errors: { ...ANY_PERSON_POST, LOGIN_FAILED: {}, EMAIL_TAKEN: {} },
})

export const verifyNewEmail = defineEndpoint({
  method: 'POST',
  path: '/api/account/email/verify',
  summary: 'Verify the new email',
  description: 'Checks the code that was sent to the new address.',
  input: z.object({ ticket: shape.ticket, code: shape.code }),
  response: nothing,
  errors: { ...ANY_PERSON_POST, CODE_INVALID: {} },
})

export const undoEmailChange = defineEndpoint({
  method: 'POST',
  path: '/api/account/email/undo',
  summary: 'Undo a change of the email',
  description:
    'Requires the ticket from the link that was sent to the previous address. Restores that address, sets a new password, ends all other logins and sets the cookie of a new one.',
  input: z.object({ ticket: shape.ticket, password: shape.password }),
  response: nothing,
  errors: { ...ANY_PAGE_POST, CODE_INVALID: {}, PASSWORD_REFUSED: {}, EMAIL_TAKEN: {} },
})

export const changePassword = defineEndpoint({
  method: 'POST',
  path: '/api/account/password',
  summary: 'Change the password',
  description: 'Ends all other logins.',
  input: z.object({ password: shape.password, newPassword: shape.password }),
  response: nothing,
  errors: { ...ANY_PERSON_POST, LOGIN_FAILED: {}, PASSWORD_REFUSED: {} },
})

export const endLogIn = defineEndpoint({
  method: 'POST',
  path: '/api/account/log-ins/end',
  summary: 'End a login',
  description: 'Ends a login on another device.',
  input: z.object({ id: shape.id }),
  response: nothing,
  errors: ANY_PERSON_POST,
})

export const deleteAccount = defineEndpoint({
  method: 'POST',
  path: '/api/account/delete',
  summary: 'Delete the account',
  description:
    'Rejected while there is a balance, a reserved amount or a debt. Deletes the personal data; the ledger keeps its entries.',
  // The request waits up to seven seconds for payments in progress.
  deadlineMs: 14_000,
  input: z.object({ password: shape.password }),
  response: nothing,
  errors: {
    ...ANY_PERSON_POST,
    LOGIN_FAILED: {},
    ACCOUNT_NOT_EMPTY: {},
    PAYMENT_PROVIDER_ERROR: {},
    OUTCOME_UNKNOWN: {
      text: 'It is not known yet whether the account is deleted. Read the account in a minute to find out.',
    },
  },
})

export const ACCOUNT_ENDPOINTS = {
  signUpAtAccount,
  verifySignUp,
  logInToAccount,
  logOut,
  forgotAccountPassword,
  resetAccountPassword,
  readAccount,
  readHistory,
  exportHistory,
  readOwnStatement,
  unlinkApp,
  unlinkAllApps,
  changeProfile,
  changeEmail,
  verifyNewEmail,
  undoEmailChange,
  changePassword,
  endLogIn,
  deleteAccount,
  ...SAFETY_ENDPOINTS,
  setSpendLimit,
  setAlerts,
  ...passkeys,
  ...topup,
  ...cards,
  ...automaticTopup,
}
