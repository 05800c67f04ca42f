/**
 * Runs expensive work one at a time and at a limited rate. The work that waits is not done in the order in which it
 * arrived: work of the networks that used the queue least in the last minutes comes first. Known browsers come before
 * them a few times per account. So a flood delays the networks and accounts that it comes from, and not everybody.
 */
import { createLruMap, TokenBucket } from '../http/rate-limit.ts'
import { findSite } from '../http/read-address.ts'
import { ServiceError } from '../service-error.ts'

const WAITING_MAX = 8
/** Less than the deadline of a request. */
const WAIT_MAX_MS = 4_000
/** One use is forgotten in this time. */
const FORGET_MS = 60_000
/**
 * How many uses of an account come before those of a new network. Somebody can register many browsers, but few
 * accounts.
 */
const KNOWN_USES = 3

/**
 * One person can have a /48 with 65 536 networks, or many people can share it. So its uses count less than those of one
 * network.
 */
const SITE_SHARE = 8

/** The sender of a request, as far as the service can identify it. */
export interface Caller {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  network: string
  /** A browser that has logged in to this account before: its id, and the account. */
  known?: { device: string; account: string } | undefined
}

interface Waiting {
  rank: number
  untilMs: number
  start: () => void
  refuse: () => void
}

export interface FairQueue {
  /** Whether work for this caller would be accepted now. */
  hasRoom(caller: Caller | undefined): boolean
  /** Raises RATE_LIMITED if too much work of others comes first. Without a caller it is the service's own work. */
  run<Result>(caller: Caller | undefined, work: () => Promise<Result>): Promise<Result>
}

export function createFairQueue(perSecond: number): FairQueue {
  const uses = createUses()
  // A short burst is allowed.
  const burst = Math.max(1, perSecond / 2)
  const tokens = new TokenBucket(burst, burst / perSecond)
  const line = createLine()
  let isRunning = false
  let timer: NodeJS.Timeout | undefined

  function rankOf(caller: Caller | undefined): number {
    if (caller === undefined) return -Infinity
    const { network, known } = caller
    const site = findSite(network)
    const rank = Math.max(uses.read(network), site ? uses.read(site) / SITE_SHARE : 0)
    return known ? Math.min(rank, uses.read(known.account) - KNOWN_USES) : rank
  }

  function hasRoom(caller: Caller | undefined): boolean {
    return perSecond > 0 && line.hasRoom(rankOf(caller))
  }

  function takeTurn(caller: Caller | undefined): Promise<void> {
    const isAccepted = hasRoom(caller)
    const rank = rankOf(caller)
    if (caller) for (const key of keysOf(caller)) uses.add(key)
    const site = caller && findSite(caller.network)
    if (site) uses.add(site)
    if (!isAccepted) throw new ServiceError('RATE_LIMITED')
    return new Promise<void>((resolve, reject) => {
      const refuse = () => reject(new ServiceError('RATE_LIMITED'))
      line.add({ rank, untilMs: performance.now() + WAIT_MAX_MS, start: resolve, refuse })
      startNext()
    })
  }

  function startNext() {
    line.refuseLate()
    if (isRunning || line.isEmpty()) return
    const waitMs = Math.ceil(tokens.take())
    if (waitMs > 0) {
      timer ??= setTimeout(() => {
        timer = undefined
        startNext()
      }, waitMs)
      return
    }
    isRunning = true
    line.takeBest()?.start()
  }

  return {
    hasRoom,
    async run(caller, work) {
      await takeTurn(caller)
      try {
        return await work()
      } finally {
        isRunning = false
        startNext()
      }
    },
  }
}

/**
 * The work that waits. When the list is full, new work replaces the work that would be done last, if it comes before
 * that.
 */
function createLine() {
  const waiting: Waiting[] = []
  const isFull = () => waiting.length >= WAITING_MAX

  /** Of equal ones, the last that arrived. */
  function findWorst(): Waiting | undefined {
    let worst = waiting[0]
    for (const each of waiting) if (worst && each.rank >= worst.rank) worst = each
    return worst
  }

  function remove(each: Waiting) {
    waiting.splice(waiting.indexOf(each), 1)
  }

  function refuse(each: Waiting | undefined) {
    if (each === undefined) return
    remove(each)
    each.refuse()
  }

  return {
    isEmpty: () => waiting.length === 0,
    hasRoom: (rank: number) => !isFull() || rank < (findWorst()?.rank ?? 0),
    add(each: Waiting) {
      if (isFull()) refuse(findWorst())
      waiting.push(each)
    },
    /** Of equal ones, the first that arrived. */
    takeBest(): Waiting | undefined {
      let best = waiting[0]
      for (const each of waiting) if (best && each.rank < best.rank) best = each
      if (best) remove(best)
      return best
    },
    refuseLate() {
      const nowMs = performance.now()
      for (const each of waiting.filter(({ untilMs }) => untilMs < nowMs)) refuse(each)
    },
  }
}

/** What the requests of this caller are counted by. */
export function keysOf({ network, known }: Caller): string[] {
  return known ? [network, known.account] : [network]
}

/** How often each caller used the queue lately. */
function createUses() {
  const entries = createLruMap<{ count: number; atMs: number }>()
  function read(key: string): number {
    // Reading the rank of a key does not count as a use.
    const entry = entries.peek(key)
    if (entry === undefined) return 0
    return Math.max(0, entry.count - (performance.now() - entry.atMs) / FORGET_MS)
  }
  return {
    read,
    add(key: string) {
      entries.set(key, { count: read(key) + 1, atMs: performance.now() })
    },
  }
}
