/** The part of calls.ts about passkeys and one's own sign-in. */
import type * as endpoints from '@coffer/contract/admin/endpoints'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { AnswerOf, InputOf, Result } from '../../ui/request.ts'

type Contract = typeof endpoints
type SignIn = AnswerOf<Contract['readSignIn']>
export type Passkey = SignIn['passkeys'][number]
export type OwnLogIn = SignIn['logIns'][number]
export type ToSign = AnswerOf<Contract['beginPasskeyLogIn']> &
  Partial<AnswerOf<Contract['beginPasskeyConfirmation']>>
export type ToMakePasskey = AnswerOf<Contract['beginPasskey']>

type Call = <E extends Endpoint>(
  method: 'GET' | 'POST',
  path: string,
  input: InputOf<E>,
) => Promise<Result<AnswerOf<E>>>

export function createSelfCalls(call: Call) {
  function post<E extends Endpoint>(path: string) {
    return (input: InputOf<E>) => call<E>('POST', path, input)
  }
  return {
    readSignIn: () => call<Contract['readSignIn']>('GET', '/me/sign-in', {}),
    changePassword: post<Contract['changeOwnPassword']>('/me/password'),
    renewRecoveryCodes: () =>
      call<Contract['renewRecoveryCodes']>('POST', '/me/recovery-codes', {}),
    endOwnLogIn: post<Contract['endOwnLogIn']>('/me/log-ins/end'),
    endOtherLogIns: () => call<Contract['endOtherLogIns']>('POST', '/me/log-ins/end-others', {}),
    beginPasskeyLogIn: () => call<Contract['beginPasskeyLogIn']>('POST', '/log-in/passkey', {}),
    logInByPasskey: post<Contract['logInByPasskey']>('/log-in/passkey/finish'),
    beginPasskeyConfirmation: () =>
      call<Contract['beginPasskeyConfirmation']>('GET', '/confirm/passkey', {}),
    confirmByPasskey: post<Contract['confirmByPasskey']>('/confirm/passkey'),
    beginPasskey: () => call<Contract['beginPasskey']>('GET', '/me/passkeys/new', {}),
    addPasskey: post<Contract['addPasskey']>('/me/passkeys'),
    removePasskey: post<Contract['removePasskey']>('/me/passkeys/remove'),
  }
}
