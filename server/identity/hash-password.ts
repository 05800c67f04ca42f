/** Passwords are hashed with argon2id. That is dear on purpose, so it is bounded, lest guessing starves the money. */
import { hash, verify } from '@node-rs/argon2'
import { createRateLimit } from '../http/rate-limit.ts'
import { ServiceError } from '../service-error.ts'

const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const AT_ONCE = 1
const WAITING_MAX = 8

export interface Passwords {
  /** Raises RATE_LIMITED if there is no room for one more: the cheapest question, to be asked before all others. */
  requireRoom(): void
  hash(password: string): Promise<string>
  /** Takes as long without a hash as with a wrong one. */
  isRight(password: string, passwordHash: string | null | undefined): Promise<boolean>
}

export async function createPasswords(hashesPerSecond: number): Promise<Passwords> {
  const nobodys = await hash('nobody has this password', OPTIONS)
  const mayHash = createRateLimit(hashesPerSecond)
  const waiting: (() => void)[] = []
  let underWay = 0

  function requireRoom(isCounted = false) {
    if (waiting.length >= WAITING_MAX || !mayHash('', isCounted)) {
      throw new ServiceError('RATE_LIMITED')
    }
  }

  async function bounded<Result>(work: () => Promise<Result>): Promise<Result> {
    requireRoom(true)
    if (underWay >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else underWay++
    try {
      return await work()
    } finally {
      // The next one takes the place over, so that nobody slips in between.
      const next = waiting.shift()
      if (next) next()
      else underWay--
    }
  }

  return {
    requireRoom: () => requireRoom(),
    hash: (password) => bounded(() => hash(normalize(password), OPTIONS)),
    async isRight(password, passwordHash) {
      const known = passwordHash ?? undefined
      const isRight = await bounded(() => verify(known ?? nobodys, normalize(password)))
      return isRight && known !== undefined
    },
  }
}

/** The same characters typed on different keyboards are the same password. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}
