/** Connects the passkey endpoints of the service with the passkeys of the browser. */
import type * as shapes from '@coffer/contract/passkey-shapes'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { Refusal, Result } from '../request.ts'
import type { PasskeyMessages } from './messages.ts'

type Challenge = (typeof shapes.challenge)['_zod']['output']
type Credential = (typeof shapes.listedCredential)['_zod']['output']
type Creation = (typeof shapes.creation)['_zod']['output']
type Signed = (typeof shapes.signed)['_zod']['input']
type Created = (typeof shapes.created)['_zod']['input']['passkey']

type FailureMessages = Pick<
  PasskeyMessages,
  'cancelled' | 'notCreated' | 'known' | 'unable' | 'failed'
>

/** `host`: where passkeys work. */
export function canUsePasskeys(host: string | null): boolean {
  return 'PublicKeyCredential' in window && location.hostname === host
}

/** Requests a challenge, lets the browser sign it, and sends it back. */
export async function sendSigned<Output>(
  begin: () => Promise<Result<Challenge & { allowed?: Credential[] }>>,
  finish: (input: { passkey: Signed }) => Promise<Result<Output>>,
  messages: FailureMessages,
): Promise<Result<Output>> {
  const begun = await begin()
  if (!begun.ok) return begun
  const { rpId, challenge, allowed } = begun.data
  const optionsJSON = {
    rpId,
    challenge,
    userVerification: 'required',
    ...(allowed && { allowCredentials: allowed.map(toDescriptor) }),
  } as const
  try {
    return await finish({ passkey: await startAuthentication({ optionsJSON }) })
  } catch (error) {
    return explain(error, messages.cancelled, messages)
  }
}

/** Requests the options, lets the browser create a passkey, and sends its public key back. */
export async function sendCreated<Output>(
  begin: () => Promise<Result<Creation>>,
  finish: (passkey: Created) => Promise<Result<Output>>,
  brand: string,
  messages: FailureMessages,
): Promise<Result<Output>> {
  const begun = await begin()
  if (!begun.ok) return begun
  const { rpId, challenge, user, algorithms, excluded } = begun.data
  const optionsJSON = {
    rp: { id: rpId, name: brand },
    user,
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg }) as const),
    excludeCredentials: excluded.map(toDescriptor),
    // The passkey must identify its owner and require unlocking, so that it is sufficient for a login.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  } as const
  try {
    return await finish(await startRegistration({ optionsJSON }))
  } catch (error) {
    return explain(error, messages.notCreated, messages)
  }
}

function toDescriptor({ id, transports }: Credential) {
  return { id, transports, type: 'public-key' } as const
}

/** Turns an error of the browser into a refusal, as if the service had returned it. */
function explain(
  error: unknown,
  cancelled: string,
  { known, unable, failed }: FailureMessages,
): Refusal {
  const byName: Record<string, string> = {
    NotAllowedError: cancelled,
    AbortError: cancelled,
    InvalidStateError: known,
    ConstraintError: unable,
    NotSupportedError: unable,
  }
  const text = byName[error instanceof Error ? error.name : ''] ?? failed
  const nothing = { code: undefined, field: undefined, retryAfterSeconds: undefined }
  return { ok: false, offline: false, status: 400, text, ...nothing }
}
