import type { Verifier } from './types.ts'

/**
 * Starts a link: keep the verifier in the session of your user, and give only the challenge to the page. The link code
 * of the widget then works for this user in this browser only.
 */
export async function createVerifier(): Promise<Verifier> {
  const verifier = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return { verifier, challenge: toBase64Url(new Uint8Array(digest)) }
}

function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
