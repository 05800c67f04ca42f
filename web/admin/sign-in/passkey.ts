/** Connects the passkey endpoints of the service with the passkeys of the browser. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { AdminPageData } from '../../page-data.ts'
import type { Refusal, Result } from '../../ui/request.ts'
import type { Calls } from '../calls.ts'
import { words } from '../messages.ts'
import type { PasskeyOptions, SignOptions } from './calls.ts'

export function canUsePasskeys({ passkeyHost }: AdminPageData): boolean {
  return 'PublicKeyCredential' in window && location.hostname === passkeyHost
}

export async function logInByPasskey(calls: Calls): Promise<Result<object>> {
  const begun = await calls.beginPasskeyLogIn()
  if (!begun.ok) return begun
  const signed = await sign(begun.data)
  return signed.ok ? calls.logInByPasskey({ passkey: signed.data }) : signed
}

export async function confirmByPasskey(calls: Calls): Promise<Result<object>> {
  const begun = await calls.beginPasskeyConfirmation()
  if (!begun.ok) return begun
  const signed = await sign(begun.data)
  return signed.ok ? calls.confirmByPasskey({ passkey: signed.data }) : signed
}

export async function addPasskey(calls: Calls, name: string): Promise<Result<object>> {
  const begun = await calls.beginPasskey()
  if (!begun.ok) return begun
  const created = await create(begun.data)
  return created.ok ? calls.addPasskey({ name, passkey: created.data }) : created
}

async function sign({ rpId, challenge, allowed }: SignOptions) {
  const optionsJSON = {
    rpId,
    challenge,
    userVerification: 'required',
    ...(allowed && { allowCredentials: allowed.map(toDescriptor) }),
  } as const
  try {
    return { ok: true, data: await startAuthentication({ optionsJSON }) } as const
  } catch (error) {
    return explain(error, words.passkey.cancelled)
  }
}

async function create({ rpId, challenge, user, algorithms, excluded }: PasskeyOptions) {
  const optionsJSON = {
    rp: { id: rpId, name: words.brand },
    user,
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg }) as const),
    excludeCredentials: excluded.map(toDescriptor),
    // The passkey must identify its owner and require unlocking, so that it is sufficient for a login.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  } as const
  try {
    return { ok: true, data: await startRegistration({ optionsJSON }) } as const
  } catch (error) {
    return explain(error, words.passkey.notCreated)
  }
}

function toDescriptor({ id, transports }: { id: string; transports: string[] }) {
  return { id, transports, type: 'public-key' } as const
}

/** Turns an error of the browser into a refusal, as if the service had returned it. */
function explain(error: unknown, cancelled: string): Refusal {
  const texts: Record<string, string> = {
    NotAllowedError: cancelled,
    AbortError: cancelled,
    InvalidStateError: words.passkey.known,
    ConstraintError: words.passkey.unable,
    NotSupportedError: words.passkey.unable,
  }
  const text = texts[error instanceof Error ? error.name : ''] ?? words.passkey.failed
  const nothing = { code: undefined, field: undefined, retryAfterSeconds: undefined }
  return { ok: false, offline: false, status: 400, text, ...nothing }
}
