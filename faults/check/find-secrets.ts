/** Looks for secrets where none may be. What is found is told by its place, not by its text. */
import type { Findings } from './findings.ts'

const AROUND = 60

/** Returns how many were found. */
export function findSecrets(
  place: string,
  text: string,
  secrets: readonly string[],
  findings: Findings,
): number {
  let found = 0
  for (const secret of secrets) {
    if (secret.length < 8) throw new Error('a secret so short would be found everywhere')
    const at = text.indexOf(secret)
    if (at < 0) continue
    found++
    findings.add(11, `${place}: … ${text.slice(Math.max(0, at - AROUND), at)}[a secret] …`)
  }
  return found
}
