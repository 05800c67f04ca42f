/** Between the service, which asks, and the browser, which has the passkeys. */
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { AdminPageData } from '../../page-data.ts'
import type { Refusal, Result } from '../../ui/request.ts'
import type { Calls } from '../calls.ts'
import { words } from '../messages.ts'
import type { ToMakePasskey, ToSign } from '../sign-in/calls.ts'

export function canUsePasskeys({ passkeyDomain }: AdminPageData): boolean {
  return 'PublicKeyCredential' in window && location.hostname === passkeyDomain
}

export async function logInByPasskey(calls: Calls): Promise<Result<object>> {
  const asked = await calls.beginPasskeyLogIn()
  if (!asked.ok) return asked
  const signed = await sign(asked.data)
  return signed.ok ? calls.logInByPasskey({ passkey: signed.data }) : signed
}

export async function confirmByPasskey(calls: Calls): Promise<Result<object>> {
  const asked = await calls.beginPasskeyConfirmation()
  if (!asked.ok) return asked
  const signed = await sign(asked.data)
  return signed.ok ? calls.confirmByPasskey({ passkey: signed.data }) : signed
}

export async function addPasskey(calls: Calls, name: string): Promise<Result<object>> {
  const asked = await calls.beginPasskey()
  if (!asked.ok) return asked
  const made = await make(asked.data)
  return made.ok ? calls.addPasskey({ name, passkey: made.data }) : made
}

async function sign({ rpId, challenge, allowed }: ToSign) {
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

async function make({ rpId, challenge, user, algorithms, excluded }: ToMakePasskey) {
  const optionsJSON = {
    rp: { id: rpId, name: words.brand },
    user,
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg }) as const),
    excludeCredentials: excluded.map(toDescriptor),
    // It must tell by itself whose it is, and be unlocked: then it alone is enough.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  } as const
  try {
    return { ok: true, data: await startRegistration({ optionsJSON }) } as const
  } catch (error) {
    return explain(error, words.passkey.notMade)
  }
}

function toDescriptor({ id, transports }: { id: string; transports: string[] }) {
  return { id, transports, type: 'public-key' } as const
}

/** What the browser did not do, in the form of what the service does not do. */
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
