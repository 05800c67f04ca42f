/** The state of the model, without what decides about operations: apps, wallets, links, limits and events. */
import {
  advance,
  isOver,
  isRaise,
  replaceTerms,
  type LimitTerms,
  type Unit,
} from './spend-limit.ts'
import {
  CURRENCY,
  referenceOf,
  toMajor,
  type App,
  type Decision,
  type Entry,
  type Link,
  type Reference,
  type Wallet,
} from './state.ts'

/** When a hold ends, and what decides between two that end at the same time. */
export type FindEnd = (hold: Decision) => readonly [ms: number, tie: string]

export class Accounts {
  readonly apps: App[] = []
  readonly wallets: Wallet[] = []
  readonly links: Link[] = []
  /** The time of what happens now. */
  nowMs = 0
  /** Only the service knows the exact time of a hold, which its response shows. */
  findEnd: FindEnd = () => [Infinity, '']

  clone(): Accounts {
    const copy = new Accounts()
    this.copyTo(copy)
    return copy
  }

  protected copyTo(copy: Accounts) {
    const { apps, wallets, links } = this
    const copies = structuredClone({ apps, wallets, links })
    copy.apps.push(...copies.apps)
    copy.wallets.push(...copies.wallets)
    copy.links.push(...copies.links)
    copy.nowMs = this.nowMs
    copy.findEnd = this.findEnd
  }

  addApp(app: Omit<App, 'index' | 'owed' | 'decisions' | 'events'>) {
    const index = this.apps.length
    // It got its restricted secret before the plan.
    const events = [{ type: 'client_app.secret_rotated', data: { change: 'rotated' } }]
    this.apps.push({ ...app, index, owed: 0, decisions: new Map(), events })
  }

  addWallet() {
    const money = { balance: 0, debt: 0, held: 0, entries: [], limits: new Map(), reported: 0 }
    this.wallets.push({ index: this.wallets.length, isActive: true, isClosed: false, ...money })
  }

  app(index: number): App {
    return this.apps[index] as App
  }

  wallet(index: number): Wallet {
    return this.wallets[index] as Wallet
  }

  liveLink(app: App, wallet: Wallet): Link | undefined {
    return this.links.find((each) => each.app === app && each.wallet === wallet && each.isLive)
  }

  /** Linking twice changes nothing. */
  link(app: App, wallet: Wallet, serviceUserId: string) {
    if (this.liveLink(app, wallet)) return
    this.links.push({ app, wallet, serviceUserId, isLive: true, since: wallet.entries.length })
    app.events.push({ type: 'link.created', data: { serviceUserId } })
  }

  unlink(app: App, wallet: Wallet, reason: 'user' | 'erasure' = 'user') {
    const link = this.liveLink(app, wallet)
    if (link === undefined) return
    link.isLive = false
    app.events.push({ type: 'link.ended', data: { serviceUserId: link.serviceUserId, reason } })
  }

  setActive(wallet: Wallet, isActive: boolean) {
    if (wallet.isActive === isActive) return
    wallet.isActive = isActive
    const type = isActive ? 'wallet.unfrozen' : 'wallet.frozen'
    for (const { app, wallet: linked, serviceUserId, isLive } of this.links)
      if (linked === wallet && isLive) app.events.push({ type, data: { serviceUserId } })
  }

  /** The account is deleted. The ledger keeps the entries, without their texts. */
  close(wallet: Wallet) {
    for (const app of this.apps) this.unlink(app, wallet, 'erasure')
    wallet.isClosed = true
    for (const entry of wallet.entries) entry.description = null
  }

  /** Returns whether it is done: an app gets more power only if the person confirms it. */
  setLimit(app: App, wallet: Wallet, terms: LimitTerms | undefined, isConfirmed: boolean): boolean {
    const known = wallet.limits.get(app)
    if (known && !isConfirmed && isRaise(known, terms)) return false
    if (terms === undefined) wallet.limits.delete(app)
    else wallet.limits.set(app, replaceTerms(known, terms, this.nowMs))
    return true
  }

  /** How much the app may take at once; undefined: only the balance limits it. */
  limitLeft(app: App, wallet: Wallet): number | undefined {
    const limit = wallet.limits.get(app)
    if (limit === undefined) return undefined
    if (isOver(limit, this.nowMs)) return 0
    const { singleMax, dayMax, weekMax, monthMax } = limit.terms
    const left = (max: number | undefined, unit: Unit) =>
      max === undefined ? Infinity : Math.max(0, max - this.spent(app, wallet, unit))
    const periods = [left(dayMax, 'day'), left(weekMax, 'week'), left(monthMax, 'month')]
    const least = Math.min(singleMax ?? Infinity, ...periods)
    return least === Infinity ? undefined : least
  }

  /** What the app took in a current period of its limit. Holds whose time is over are given back. */
  spent(app: App, wallet: Wallet, unit: Unit): number {
    const limit = wallet.limits.get(app)
    if (limit === undefined) return 0
    const { fromMs } = advance(limit, this.nowMs)[unit]
    const taken = [...app.decisions.values()].filter(
      (each) => each.wallet === wallet && each.atMs >= fromMs,
    )
    return taken.reduce(
      (sum, each) => sum + each.taken - (this.isDue(each) ? each.remaining : 0),
      0,
    )
  }

  /** How much the app may credit; undefined: there is no limit. */
  creditLeft({ creditLimit, owed }: App): number | undefined {
    return creditLimit === null ? undefined : owed + creditLimit
  }

  /** Posted holds, oldest first. */
  holds(app?: App, wallet?: Wallet): Decision[] {
    return this.apps
      .filter((each) => (app ?? each) === each)
      .flatMap(({ decisions }) => [...decisions.values()])
      .filter(
        (each) => each.type === 'hold' && each.entry && (wallet ?? each.wallet) === each.wallet,
      )
      .toSorted((a, b) => a.id - b.id)
  }

  /** Whether the time of a hold is over, but its expiry is not booked. */
  isDue(hold: Decision): boolean {
    return hold.remaining > 0 && this.findEnd(hold)[0] <= this.nowMs
  }

  /** In the order in which they are booked. */
  dueHolds(wallet: Wallet): Decision[] {
    const due = this.holds(undefined, wallet).filter((each) => this.isDue(each))
    return due.toSorted((a, b) => {
      const [[endA, tieA], [endB, tieB]] = [this.findEnd(a), this.findEnd(b)]
      return endA - endB || (tieA < tieB ? -1 : 1)
    })
  }

  protected addExpired(hold: Decision, minor: number) {
    const serviceUserId = this.liveLink(hold.app, hold.wallet)?.serviceUserId
    const data = { serviceUserId, hold: referenceOf(hold), amount: toMajor(minor) }
    hold.app.events.push({ type: 'hold.expired', data: { ...data, currency: CURRENCY } })
  }

  protected addEntry(
    wallet: Wallet,
    kind: Entry['kind'],
    change: { balance: number; debt: number; held: number },
    { referenceType, referenceId }: Reference,
    about: Partial<Pick<Entry, 'app' | 'decision' | 'target' | 'description' | 'reason'>>,
  ): Entry {
    wallet.balance += change.balance
    wallet.debt += change.debt
    wallet.held += change.held
    const { app, decision, target, description = null, reason } = about
    const entry = {
      wallet,
      seq: wallet.entries.length + 1,
      atMs: this.nowMs,
      kind,
      referenceType,
      referenceId,
      change: change.balance,
      debtChange: change.debt,
      heldChange: change.held,
      balanceAfter: wallet.balance,
      app,
      decision,
      target,
      description,
      reason,
    }
    wallet.entries.push(entry)
    return entry
  }

  /** An app with balance.changed learns what others did to a linked wallet since the link and the last event. */
  reportBalances(app: App) {
    for (const { wallet, serviceUserId, since, isLive, app: linked } of this.links) {
      if (linked !== app || !isLive) continue
      const news = wallet.entries.slice(Math.max(since, wallet.reported))
      const isForeign = ({ change, kind, app: maker, decision }: Entry) =>
        change !== 0 && (kind === 'expiry' || maker !== app || decision?.request === undefined)
      const data = { serviceUserId, balance: toMajor(wallet.balance), currency: CURRENCY }
      if (news.some(isForeign)) app.events.push({ type: 'balance.changed', data })
    }
    for (const wallet of this.wallets) wallet.reported = wallet.entries.length
  }
}
