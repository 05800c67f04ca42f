/** The requests from the login to the link with the app. Visitors with a session do not load them. */
import type {
  agree,
  forgotPassword,
  logIn,
  signUp,
  verifyEmail,
} from '@coffer/contract/widget/widget'
import { type InputOf, request } from '../../ui/request.ts'

export type SignUpInput = InputOf<typeof signUp>

export const calls = {
  logIn: (input: InputOf<typeof logIn>) =>
    request<typeof logIn>('POST', '/api/widget/auth/log-in', input),
  signUp: (input: SignUpInput) => request<typeof signUp>('POST', '/api/widget/auth/sign-up', input),
  agree: (input: InputOf<typeof agree>) =>
    request<typeof agree>('POST', '/api/widget/auth/agree', input),
  verify: (input: InputOf<typeof verifyEmail>) =>
    request<typeof verifyEmail>('POST', '/api/widget/auth/verify', input),
  forgot: (input: InputOf<typeof forgotPassword>) =>
    request<typeof forgotPassword>('POST', '/api/widget/auth/forgot', input),
}
