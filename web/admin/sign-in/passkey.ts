import { sendCreated, sendSigned } from '../../ui/passkeys/browser-passkeys.ts'
import type { Result } from '../../ui/request.ts'
import type { Call } from '../calls.ts'
import { words } from '../messages.ts'

export function logInByPasskey(call: Call): Promise<Result<object>> {
  return sendSigned(
    () => call('POST /api/admin/sign-in/passkey'),
    (signed) => call('POST /api/admin/sign-in/passkey/finish', signed),
    words.passkey,
  )
}

export function confirmByPasskey(call: Call): Promise<Result<object>> {
  return sendSigned(
    () => call('GET /api/admin/sign-in/confirm/passkey'),
    (signed) => call('POST /api/admin/sign-in/confirm/passkey', signed),
    words.passkey,
  )
}

export function addPasskey(call: Call, name: string): Promise<Result<object>> {
  return sendCreated(
    () => call('GET /api/admin/sign-in/passkeys/new'),
    (passkey) => call('POST /api/admin/sign-in/passkeys', { name, passkey }),
    words.brand,
    words.passkey,
  )
}
