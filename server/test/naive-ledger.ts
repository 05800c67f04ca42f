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
  pair: string
  walletId: bigint
  account: number
  amount: bigint
}

export interface NaiveWallet {
  balance: bigint
  debt: bigint
  isActive: boolean
  count: bigint
}

export type NaiveOutcome = { first: NaiveRequest } & (
  { refusal: string } | { balanceAfter: bigint; seq: bigint }
)

export class NaiveLedger {
  readonly wallets = new Map<bigint, NaiveWallet>()
  readonly accounts = new Map<number, bigint>()
  readonly limits = new Map<number, bigint>()
  readonly outcomes = new Map<string, NaiveOutcome>()

  ask(request: NaiveRequest): NaiveOutcome {
    const known = this.outcomes.get(request.pair)
    if (known) return known
    const outcome = { first: request, ...this.#execute(request) } as NaiveOutcome
    this.outcomes.set(request.pair, outcome)
    return outcome
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
      if (kind === 'credit' && limit !== undefined && settled - amount < -limit) {
        return { refusal: 'CREDIT_LIMIT_EXCEEDED' }
      }
      let rest = amount
      if (kind === 'topup' || kind === 'reversal') {
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
