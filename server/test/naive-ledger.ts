/**
 * The simplest possible ledger: one request at a time, plain numbers in plain maps, no batches. It shares
 * no code with the real one, so the two agree only if both are correct.
 */
export interface NaiveRequest {
  kind:
    | 'debit'
    | 'credit'
    | 'topup'
    | 'bonus'
    | 'seizure'
    | 'reversal'
    | 'card_refund'
    | 'correction_in'
    | 'correction_out'
    | 'refund'
    | 'hold'
    | 'capture'
    | 'release'
  pair: string
  /** Of a refund: the pair of the debit or capture. Of a capture or release: the pair of the hold. */
  debit: string
  /** Of a refund or capture: everything that is left. */
  isAmountOmitted: boolean
  /** Of a capture: the rest is released. */
  isFinal: boolean
  /** Of a hold. */
  expiresInMs: number
  walletId: bigint
  account: number
  amount: bigint
}

export interface NaiveWallet {
  balance: bigint
  debt: bigint
  held: bigint
  isActive: boolean
  isClosed: boolean
  count: bigint
}

export type NaiveOutcome = { first: NaiveRequest } & (
  { refusal: string } | { balanceAfter: bigint; seq: bigint }
) & { amount: bigint; refundable?: bigint; held?: bigint; released?: bigint }

interface NaiveHold {
  walletId: bigint
  left: bigint
  expiresAtMs: number
  hasExpired: boolean
}

export class NaiveLedger {
  readonly wallets = new Map<bigint, NaiveWallet>()
  readonly accounts = new Map<number, bigint>()
  readonly limits = new Map<number, bigint>()
  readonly outcomes = new Map<string, NaiveOutcome>()
  /** How much of each debit is refunded, by its pair. */
  readonly refunded = new Map<string, bigint>()
  readonly holds = new Map<string, NaiveHold>()
  nowMs = 0

  ask(request: NaiveRequest): NaiveOutcome {
    const known = this.outcomes.get(request.pair)
    if (known) return known
    this.#expire(request.walletId)
    const executed = this.#dispatch(request)
    const outcome = { first: request, ...executed } as NaiveOutcome
    this.outcomes.set(request.pair, outcome)
    return outcome
  }

  #dispatch(request: NaiveRequest) {
    const { kind, amount } = request
    if (kind === 'refund') return this.#refund(request)
    if (kind === 'hold') return { ...this.#hold(request), amount }
    if (kind === 'capture' || kind === 'release') return this.#changeHold(request)
    return { ...this.#execute(request), amount }
  }

  #hold({ pair, walletId, amount, expiresInMs }: NaiveRequest) {
    const wallet = this.wallets.get(walletId) as NaiveWallet
    if (wallet.isClosed) return { refusal: 'WALLET_CLOSED' }
    if (!wallet.isActive) return { refusal: 'WALLET_INACTIVE' }
    if (wallet.balance < amount) return { refusal: 'INSUFFICIENT_BALANCE' }
    const expiresAtMs = this.nowMs + expiresInMs
    this.holds.set(pair, { walletId, left: amount, expiresAtMs, hasExpired: false })
    wallet.balance -= amount
    wallet.held += amount
    wallet.count += 1n
    return { balanceAfter: wallet.balance, seq: wallet.count }
  }

  #expire(walletId: bigint) {
    const due = [...this.holds.values()].filter(
      (hold) => hold.walletId === walletId && hold.left > 0n && hold.expiresAtMs <= this.nowMs,
    )
    for (const hold of due) {
      this.#giveBack(walletId, hold.left)
      hold.left = 0n
      hold.hasExpired = true
    }
  }

  /** Pays debt first. */
  #giveBack(walletId: bigint, amount: bigint) {
    const wallet = this.wallets.get(walletId) as NaiveWallet
    for (let unit = amount; unit > 0n;) {
      const part = wallet.debt > 0n && wallet.debt < unit ? wallet.debt : unit
      if (wallet.debt > 0n) wallet.debt -= part
      else wallet.balance += part
      unit -= part
    }
    wallet.held -= amount
    wallet.count += 1n
  }

  #changeHold({ kind, debit, walletId, account, amount: asked, ...request }: NaiveRequest) {
    const hold = this.holds.get(debit)
    const left = hold?.left ?? 0n
    const isCapture = kind === 'capture'
    const amount = isCapture && !request.isAmountOmitted ? asked : left
    const refused = { amount, held: left, released: 0n }
    if (hold?.hasExpired) return { refusal: 'HOLD_EXPIRED', ...refused }
    if (hold === undefined || left === 0n) return { refusal: 'HOLD_CLOSED', ...refused }
    if (amount > left) return { refusal: 'CAPTURE_EXCEEDS_HOLD', ...refused }
    const rest = left - amount
    const released = isCapture ? (request.isFinal ? rest : 0n) : left
    const wallet = this.wallets.get(walletId) as NaiveWallet
    this.#giveBack(walletId, released)
    if (isCapture) {
      wallet.held -= amount
      this.accounts.set(account, (this.accounts.get(account) ?? 0n) + amount)
    }
    hold.left = isCapture ? rest - released : 0n
    const { balance: balanceAfter, count: seq } = wallet
    return { balanceAfter, seq, amount, held: hold.left, released }
  }

  #refund(request: NaiveRequest) {
    const debit = this.outcomes.get(request.debit) as NaiveOutcome
    const already = this.refunded.get(request.debit) ?? 0n
    const left = 'refusal' in debit ? 0n : debit.amount - already
    const amount = request.isAmountOmitted ? left : request.amount
    const refused = { amount, refundable: left }
    if (this.wallets.get(request.walletId)?.isClosed)
      return { refusal: 'WALLET_CLOSED', ...refused }
    if (amount > left || left === 0n) return { refusal: 'REFUND_EXCEEDS_DEBIT', ...refused }
    const executed = this.#execute({ ...request, amount })
    if ('refusal' in executed) return { ...executed, ...refused }
    this.refunded.set(request.debit, already + amount)
    return { ...executed, amount, refundable: left - amount }
  }

  #execute({ kind, walletId, account, amount }: NaiveRequest) {
    const wallet = this.wallets.get(walletId) as NaiveWallet
    const accountBalance = this.accounts.get(account) ?? 0n
    const limit = this.limits.get(account)
    if (wallet.isClosed && ['debit', 'credit', 'bonus', 'correction_in'].includes(kind)) {
      return { refusal: 'WALLET_CLOSED' }
    }
    let { balance, debt } = wallet
    if (kind === 'debit' || kind === 'card_refund' || kind === 'correction_out') {
      if (kind === 'debit' && !wallet.isActive) return { refusal: 'WALLET_INACTIVE' }
      if (balance < amount) return { refusal: 'INSUFFICIENT_BALANCE' }
      balance -= amount
    } else if (kind === 'seizure') {
      if (balance >= amount) balance -= amount
      else {
        debt += amount - balance
        balance = 0n
      }
    } else {
      if (
        ['credit', 'refund'].includes(kind) &&
        limit !== undefined &&
        accountBalance - amount < -limit
      ) {
        return { refusal: 'CREDIT_LIMIT_EXCEEDED' }
      }
      let rest = amount
      if (kind === 'topup' || kind === 'reversal' || kind === 'refund') {
        const paid = debt < rest ? debt : rest
        debt -= paid
        rest -= paid
      }
      if (balance + wallet.held + rest > 999_999_999_999_999n) return { refusal: 'BALANCE_LIMIT' }
      balance += rest
    }
    const takes = ['debit', 'seizure', 'card_refund', 'correction_out'].includes(kind)
    this.accounts.set(account, takes ? accountBalance + amount : accountBalance - amount)
    wallet.balance = balance
    wallet.debt = debt
    wallet.count += 1n
    return { balanceAfter: balance, seq: wallet.count }
  }
}
