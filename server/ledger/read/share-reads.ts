/**
 * Shares the connections for reads among scopes (client apps), which take turns. If reads ran
 * in the order of arrival, one scope with many requests would delay all others.
 */
import { Overloaded } from '../../service-error.ts'

/** As long as the pool waits for a connection. A client that waited longer has hardly any time left. */
const WAIT_MS = 5_000

export interface ReadLimits {
  /** How many reads run at the same time. */
  atOnce: number
  /** How many of them may belong to one scope, so that slow reads of one scope leave connections to the others. */
  perScope: number
  /** How many may wait per scope. */
  waitingMax: number
}

interface Share {
  running: number
  /** Each call starts a read that waits. */
  waiting: (() => void)[]
}

export class ReadShares {
  readonly #limits: ReadLimits
  /** The scopes with reads, in the order of their turns. */
  readonly #shares = new Map<number, Share>()
  #running = 0

  constructor(limits: ReadLimits) {
    this.#limits = limits
  }

  /** Throws SERVICE_UNAVAILABLE if too many reads of the scope wait, or if this one has waited for too long. */
  async run<Result>(scope: number, read: () => Promise<Result>): Promise<Result> {
    const share = this.#shareOf(scope)
    let lastMs = Infinity
    if (this.#mayStart(share)) {
      this.#start(scope, share)
    } else {
      lastMs = performance.now() + WAIT_MS
      await this.#wait(scope, share)
    }
    try {
      if (performance.now() > lastMs) throw new Overloaded('ledger_reads')
      return await read()
    } finally {
      share.running--
      this.#running--
      if (share.running === 0 && share.waiting.length === 0) this.#shares.delete(scope)
      this.#startNext()
    }
  }

  #mayStart({ running }: Share): boolean {
    return this.#running < this.#limits.atOnce && running < this.#limits.perScope
  }

  #start(scope: number, share: Share) {
    share.running++
    this.#running++
    // The scope goes behind the others.
    this.#shares.delete(scope)
    this.#shares.set(scope, share)
  }

  #wait(scope: number, share: Share): Promise<void> {
    if (share.waiting.length >= this.#limits.waitingMax) {
      throw new Overloaded('ledger_reads')
    }
    this.#shares.set(scope, share)
    return new Promise((resolve) => {
      share.waiting.push(resolve)
    })
  }

  #startNext() {
    for (const [scope, share] of this.#shares) {
      if (share.waiting.length === 0 || !this.#mayStart(share)) continue
      this.#start(scope, share)
      share.waiting.shift()?.()
      return
    }
  }

  #shareOf(scope: number): Share {
    return this.#shares.get(scope) ?? { running: 0, waiting: [] }
  }
}
