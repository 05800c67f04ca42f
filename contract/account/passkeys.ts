/** A person's passkeys: they log in at /account with a fingerprint, a face or a PIN instead of the password. */
import { z } from 'zod'
import { ANY_PERSON_POST } from './errors.ts'
import { defineEndpoint } from '../endpoint.ts'
import { PASSKEYS_MAX } from '../limits.ts'
import * as passkey from '../passkey-shapes.ts'
import * as shape from '../shapes.ts'
import { ANY_PAGE_POST } from '../widget/widget.ts'

const nothing = z.object({})

export const beginAccountPasskeyLogIn = defineEndpoint({
  method: 'POST',
  path: '/api/account/log-in/passkey',
  summary: 'Start to log in with a passkey',
  description: 'Needs no email: the browser offers the passkeys that it has.',
  input: nothing,
  response: passkey.challenge,
  errors: { ...ANY_PAGE_POST, PASSKEY_INVALID: {} },
})

export const logInToAccountByPasskey = defineEndpoint({
  method: 'POST',
  path: '/api/account/log-in/passkey/finish',
  summary: 'Log in with a passkey',
  description: 'Sets the login cookie.',
  input: z.object({ passkey: passkey.signed }),
  response: nothing,
  errors: { ...ANY_PAGE_POST, PASSKEY_INVALID: {} },
})

export const beginAccountPasskey = defineEndpoint({
  method: 'POST',
  path: '/api/account/passkeys/new',
  summary: 'Start adding a passkey',
  description: 'Requires the password. Returns the options for the browser to create a passkey.',
  input: z.object({ password: shape.password }),
  response: passkey.creation,
  errors: { ...ANY_PERSON_POST, LOGIN_FAILED: {}, PASSKEY_INVALID: {}, PASSKEY_LIMIT: {} },
})

export const addAccountPasskey = defineEndpoint({
  method: 'POST',
  path: '/api/account/passkeys',
  summary: 'Add a passkey',
  description: `The person can then log in with it, and gets an email about it. A person can have ${PASSKEYS_MAX} passkeys.`,
  input: passkey.created,
  response: nothing,
  errors: { ...ANY_PERSON_POST, PASSKEY_INVALID: {}, PASSKEY_LIMIT: {} },
})

export const removeAccountPasskey = defineEndpoint({
  method: 'POST',
  path: '/api/account/passkeys/remove',
  summary: 'Remove a passkey',
  description:
    'Requires the password. The passkey can no longer be used to log in. Has no effect on a passkey that was already removed.',
  input: z.object({ id: passkey.passkeyId, password: shape.password }),
  response: nothing,
  errors: { ...ANY_PERSON_POST, LOGIN_FAILED: {} },
})

export const renameAccountPasskey = defineEndpoint({
  method: 'POST',
  path: '/api/account/passkeys/rename',
  summary: 'Rename a passkey',
  description: 'Changes only the name that is shown. Has no effect on a passkey that was removed.',
  input: z.object({ id: passkey.passkeyId, name: shape.personName }),
  response: nothing,
  errors: ANY_PERSON_POST,
})
