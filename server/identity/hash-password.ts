/**
 * Passwords are hashed with argon2id. Hashing is expensive on purpose; its rate and its concurrency are limited, so
 * that login floods cannot slow debits.
 */
import { hash, verify } from '@node-rs/argon2'
import { ServiceError } from '../service-error.ts'
import { createFairQueue, type Caller } from './queue-fairly.ts'

const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Without a caller, the service itself hashes the password, before all waiting requests. So every HTTP request passes a
 * caller, even if the person is already logged in.
 */
export interface Passwords {
  /** Raises RATE_LIMITED if too many are waiting: the cheapest check, so callers make it first. */
  requireCapacity(caller: Caller): void
  hash(password: string, caller?: Caller): Promise<string>
  /** Takes the same time without a hash as with a wrong password. */
  isRight(
    password: string,
    passwordHash: string | null | undefined,
    caller?: Caller,
  ): Promise<boolean>
}

export async function createPasswords(hashesPerSecond: number): Promise<Passwords> {
  const unusedHash = await hash('nobody has this password', OPTIONS)
  const queue = createFairQueue(hashesPerSecond)
  return {
    requireCapacity(caller) {
      if (!queue.hasRoom(caller)) throw new ServiceError('RATE_LIMITED')
    },
    hash: (password, caller) => queue.run(caller, () => hash(normalize(password), OPTIONS)),
    async isRight(password, passwordHash, caller) {
      const known = passwordHash ?? undefined
      const isRight = await queue.run(caller, () =>
        verify(known ?? unusedHash, normalize(password)),
      )
      return isRight && known !== undefined
    },
  }
}

/** The same characters typed on different keyboards are the same password. */
function normalize(password: string): string {
  return password.normalize('NFKC')
}
