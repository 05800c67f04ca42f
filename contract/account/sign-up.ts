/** Sign-up at /account, outside of any client app. */
import { z } from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import * as shape from '../shapes.ts'
import { ANY_PAGE_POST } from '../widget/widget.ts'

export const signUpAtAccount = defineEndpoint({
  method: 'POST',
  path: '/api/account/sign-up',
  summary: 'Sign up',
  description:
    'Sends a code by email. The response is the same whether or not the address has an account. Without a mail server, creates the account immediately and sets the login cookie.',
  input: z.object({
    firstName: shape.personName,
    lastName: shape.personName,
    email: shape.email,
    password: shape.password,
  }),
  response: z.object({ ticket: shape.ticket.optional().describe('Present if a code was sent.') }),
  errors: { ...ANY_PAGE_POST, EMAIL_TAKEN: {}, PASSWORD_REFUSED: {} },
})

export const verifySignUp = defineEndpoint({
  method: 'POST',
  path: '/api/account/sign-up/verify',
  summary: 'Finish the sign-up',
  description:
    'Checks the code from the email, then creates the account and sets the login cookie.',
  input: z.object({ ticket: shape.ticket, code: shape.code }),
  response: z.object({}),
  errors: { ...ANY_PAGE_POST, CODE_INVALID: {} },
})
