import { walletsOf, type Pending } from './pending.ts'
import { Signal } from './signal.ts'

/**
 * The requests that need a lock which another transaction holds, in order, by lock. They stay here while a side lane
 * executes them, and their wallets stay busy.
 */
export class BlockedRequests {
  readonly #byLock = new Map<string, readonly Pending[]>()
  /** Locks that a side lane waits for. */
  readonly #waitedFor = new Set<string>()
  readonly #changed = new Signal()

  add(lock: string, requests: readonly Pending[]): void {
    this.#byLock.set(lock, [...(this.#byLock.get(lock) ?? []), ...requests])
    this.#changed.notify()
  }

  /** The next lock that no side lane waits for, with its requests. Waits until there is one. */
  async next(): Promise<{ lock: string; requests: readonly Pending[] }> {
    for (;;) {
      for (const [lock, requests] of this.#byLock) {
        if (this.#waitedFor.has(lock)) continue
        this.#waitedFor.add(lock)
        return { lock, requests }
      }
      await this.#changed.wait()
    }
  }

  /** These requests, the first for the lock, are executed. Returns the wallets for which no request is left here. */
  remove(lock: string, executed: readonly Pending[]): bigint[] {
    const later = this.#byLock.get(lock)?.slice(executed.length) ?? []
    if (later.length > 0) this.#byLock.set(lock, later)
    else this.#byLock.delete(lock)
    this.#waitedFor.delete(lock)
    this.#changed.notify()
    const blocked = walletsOf([...this.#byLock.values()].flat())
    return [...walletsOf(executed)].filter((walletId) => !blocked.has(walletId))
  }

  /** The side lane could not get the lock. Its requests are next after those for the other locks. */
  putBack(lock: string): void {
    const requests = this.#byLock.get(lock) ?? []
    this.#byLock.delete(lock)
    this.#byLock.set(lock, requests)
    this.#waitedFor.delete(lock)
    this.#changed.notify()
  }
}
