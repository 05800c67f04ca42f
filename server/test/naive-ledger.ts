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
    | 'refund'
    | 'correction_in'
    | 'correction_out'
    | 'debit_refund'
  pair: string
  /** Of a refund: the pair of the debit. */
  debit: string
  /** Of a refund: everything that is left. */
  isAmountOmitted: boolean
  walletId: bigint
  account: number
  amount: bigint
}

export interface NaiveWallet {
  balance: bigint
  debt: bigint
  isActive: boolean
  isClosed: boolean
  count: bigint
}

export type NaiveOutcome = { first: NaiveRequest } & (
  { refusal: string } | { balanceAfter: bigint; seq: bigint }
) & { amount: bigint; refundable?: bigint }

export class NaiveLedger {
  readonly wallets = new Map<bigint, NaiveWallet>()
  readonly accounts = new Map<number, bigint>()
  readonly limits = new Map<number, bigint>()
  readonly outcomes = new Map<string, NaiveOutcome>()
  /** How much of each debit is refunded, by its pair. */
  readonly refunded = new Map<string, bigint>()

  ask(request: NaiveRequest): NaiveOutcome {
    const known = this.outcomes.get(request.pair)
    if (known) return known
    const executed =
      request.kind === 'debit_refund'
        ? this.#refund(request)
        : { ...this.#execute(request), amount: request.amount }
    const outcome = { first: request, ...executed } as NaiveOutcome
    this.outcomes.set(request.pair, outcome)
    return outcome
  }

  #refund(request: NaiveRequest) {
    const debit = this.outcomes.get(request.debit) as NaiveOutcome
    const already = this.refunded.get(request.debit) ?? 0n
    const left = 'refusal' in debit ? 0n : debit.first.amount - already
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
    const settled = this.accounts.get(account) ?? 0n
    const limit = this.limits.get(account)
    let { balance, debt } = wallet
    if (kind === 'debit' || kind === 'refund' || kind === 'correction_out') {
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
        ['credit', 'debit_refund'].includes(kind) &&
        limit !== undefined &&
        settled - amount < -limit
      ) {
        return { refusal: 'CREDIT_LIMIT_EXCEEDED' }
      }
      let rest = amount
      if (kind === 'topup' || kind === 'reversal' || kind === 'debit_refund') {
        const paid = debt < rest ? debt : rest
        debt -= paid
        rest -= paid
      }
      if (balance + rest > 999_999_999_999_999n) return { refusal: 'BALANCE_LIMIT' }
      balance += rest
    }
    const takes = ['debit', 'seizure', 'refund', 'correction_out'].includes(kind)
    this.accounts.set(account, takes ? settled + amount : settled - amount)
    wallet.balance = balance
    wallet.debt = debt
    wallet.count += 1n
    return { balanceAfter: balance, seq: wallet.count }
  }
}
