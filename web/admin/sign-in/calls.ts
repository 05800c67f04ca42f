/** The part of calls.ts about passkeys and the operator's own sign-in settings. */
import type * as ownSignIn from '@coffer/contract/admin/own-sign-in'
import type * as signIn from '@coffer/contract/admin/sign-in'
import type { Endpoint } from '@coffer/contract/endpoint'
import type { ResponseOf, InputOf, Result } from '../../ui/request.ts'

type Contract = typeof ownSignIn & typeof signIn
type SignIn = ResponseOf<Contract['readSignIn']>
export type Passkey = SignIn['passkeys'][number]
export type OwnLogIn = SignIn['logIns'][number]
type Call = <E extends Endpoint>(
  method: E['method'],
  path: E['path'],
  input: InputOf<E>,
) => Promise<Result<ResponseOf<E>>>

export function createSelfCalls(call: Call) {
  function post<E extends Endpoint>(path: E['path']) {
    return (input: InputOf<E>) => call<E>('POST', path, input)
  }
  return {
    readSignIn: () => call<Contract['readSignIn']>('GET', '/api/admin/sign-in/settings', {}),
    changePassword: post<Contract['changeOwnPassword']>('/api/admin/sign-in/password'),
    renewRecoveryCodes: () =>
      call<Contract['renewRecoveryCodes']>('POST', '/api/admin/sign-in/recovery-codes', {}),
    endOwnLogIn: post<Contract['endOwnLogIn']>('/api/admin/sign-in/log-ins/end'),
    endOtherLogIns: () =>
      call<Contract['endOtherLogIns']>('POST', '/api/admin/sign-in/log-ins/end-others', {}),
    beginPasskeyLogIn: () =>
      call<Contract['beginPasskeyLogIn']>('POST', '/api/admin/sign-in/passkey', {}),
    logInByPasskey: post<Contract['logInByPasskey']>('/api/admin/sign-in/passkey/finish'),
    beginPasskeyConfirmation: () =>
      call<Contract['beginPasskeyConfirmation']>('GET', '/api/admin/sign-in/confirm/passkey', {}),
    confirmByPasskey: post<Contract['confirmByPasskey']>('/api/admin/sign-in/confirm/passkey'),
    beginPasskey: () =>
      call<Contract['beginPasskey']>('GET', '/api/admin/sign-in/passkeys/new', {}),
    addPasskey: post<Contract['addPasskey']>('/api/admin/sign-in/passkeys'),
    removePasskey: post<Contract['removePasskey']>('/api/admin/sign-in/passkeys/remove'),
  }
}
