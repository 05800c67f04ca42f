/**
 * Passwords are hashed with argon2id. Hashing is expensive on purpose; its concurrency is capped so that login floods
 * cannot slow debits.
 */
import { hash, verify } from '@node-rs/argon2'
import { createRateLimit } from '../http/rate-limit.ts'
import { ServiceError } from '../service-error.ts'

const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const AT_ONCE = 1
const WAITING_MAX = 8

export interface Passwords {
  /** Raises RATE_LIMITED if too many are waiting: the cheapest check, so callers make it first. */
  requireCapacity(): void
  hash(password: string): Promise<string>
  /** Takes the same time without a hash as with a wrong password. */
  isRight(password: string, passwordHash: string | null | undefined): Promise<boolean>
}

export async function createPasswords(hashesPerSecond: number): Promise<Passwords> {
  const unusedHash = await hash('nobody has this password', OPTIONS)
  const mayHash = createRateLimit(hashesPerSecond)
  const waiting: (() => void)[] = []
  let running = 0

  function requireCapacity(isCounted = false) {
    if (waiting.length >= WAITING_MAX || !mayHash('', isCounted)) {
      throw new ServiceError('RATE_LIMITED')
    }
  }

  async function bounded<Result>(work: () => Promise<Result>): Promise<Result> {
    requireCapacity(true)
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // The next one takes over the place directly, so that no other call gets in between.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }

  return {
    requireCapacity: () => requireCapacity(),
    hash: (password) => bounded(() => hash(normalize(password), OPTIONS)),
    async isRight(password, passwordHash) {
      const known = passwordHash ?? undefined
      const isRight = await bounded(() => verify(known ?? unusedHash, normalize(password)))
      return isRight && known !== undefined
    },
  }
}

/** The same characters typed on different keyboards are the same password. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}
