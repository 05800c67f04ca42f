import { sendCreated, sendSigned } from '../../ui/passkeys/browser-passkeys.ts'
import type { Result } from '../../ui/request.ts'
import type { Calls } from '../calls.ts'
import { words } from '../messages.ts'

export function logInByPasskey(calls: Calls): Promise<Result<object>> {
  return sendSigned(calls.beginPasskeyLogIn, calls.logInByPasskey, words.passkey)
}

export function confirmByPasskey(calls: Calls): Promise<Result<object>> {
  return sendSigned(calls.beginPasskeyConfirmation, calls.confirmByPasskey, words.passkey)
}

export function addPasskey(calls: Calls, name: string): Promise<Result<object>> {
  const finish = (passkey: Parameters<Calls['addPasskey']>[0]['passkey']) =>
    calls.addPasskey({ name, passkey })
  return sendCreated(calls.beginPasskey, finish, words.brand, words.passkey)
}
