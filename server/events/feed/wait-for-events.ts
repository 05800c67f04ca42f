/**
 * Requests that wait for an event. A waiting request holds no database connection: it is an entry in a map and a timer.
 * While somebody waits, one query four times per second asks for all apps whether there is a new event.
 */
import { EVENT_WAITERS_MAX } from '@coffer/contract/limits'
import type { ServerResponse } from 'node:http'
import type pg from 'pg'
import { many } from '../../database/statement.ts'
import { ServiceError } from '../../service-error.ts'
import { listNewest } from './queries.ts'

const POLL_MS = 250

interface Waiter {
  sequence: bigint
  response: ServerResponse
  end: (isNews: boolean) => void
}

export class EventWaiters {
  readonly #db: pg.Pool
  readonly #apps = new Map<bigint, Set<Waiter>>()
  #timer: NodeJS.Timeout | undefined
  #isEnded = false

  constructor(db: pg.Pool) {
    this.#db = db
  }

  /**
   * Returns whether the app has an event after this one. It returns false when the wait time is over, the client
   * disconnects or the process stops.
   */
  wait(
    clientAppId: bigint,
    { sequence, waitMs }: { sequence: bigint; waitMs: number },
    response: ServerResponse,
  ): Promise<boolean> {
    const waiters = this.#apps.get(clientAppId) ?? new Set()
    if (waiters.size >= EVENT_WAITERS_MAX) throw new ServiceError('RATE_LIMITED')
    if (this.#isEnded || response.destroyed) return Promise.resolve(false)
    return new Promise((resolve) => {
      const disconnect = () => waiter.end(false)
      const timer = setTimeout(disconnect, waitMs)
      const waiter: Waiter = {
        sequence,
        response,
        end: (isNews) => {
          clearTimeout(timer)
          response.off('close', disconnect)
          waiters.delete(waiter)
          if (waiters.size === 0) this.#apps.delete(clientAppId)
          resolve(isNews)
        },
      }
      response.once('close', disconnect)
      waiters.add(waiter)
      this.#apps.set(clientAppId, waiters)
      this.#pollLater()
    })
  }

  /** While the process stops: every waiting request ends now, without an event. */
  end(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    for (const waiters of this.#apps.values()) {
      for (const waiter of waiters) {
        // An idle connection would keep the process running.
        waiter.response.shouldKeepAlive = false
        waiter.end(false)
      }
    }
  }

  #pollLater() {
    if (this.#timer || this.#apps.size === 0 || this.#isEnded) return
    this.#timer = setTimeout(() => void this.#poll(), POLL_MS)
  }

  async #poll() {
    try {
      for (const newest of await many(this.#db, listNewest([...this.#apps.keys()]))) {
        for (const waiter of this.#apps.get(newest.clientAppId) ?? []) {
          if (newest.sequence > waiter.sequence) waiter.end(true)
        }
      }
    } catch {
      // The next poll may succeed. If none does, the next request of the client reports the error.
    }
    this.#timer = undefined
    this.#pollLater()
  }
}
