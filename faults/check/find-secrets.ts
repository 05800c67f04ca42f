/** Searches for secrets in locations that must not contain any. A finding names the location, not the secret. */
import type { Findings } from './findings.ts'

const AROUND = 60

/** Returns the number of secrets found. */
export function findSecrets(
  location: string,
  text: string,
  secrets: readonly string[],
  findings: Findings,
): number {
  let found = 0
  for (const secret of secrets) {
    if (secret.length < 8) throw new Error('the secret is too short to search for')
    const at = text.indexOf(secret)
    if (at < 0) continue
    found++
    findings.add(11, `${location}: … ${text.slice(Math.max(0, at - AROUND), at)}[a secret] …`)
  }
  return found
}
