import { VERBS, type MoveVerb } from '../clients/verbs.ts'

/** The outcome that the ledger stores for each pair; in columns, because there are millions. */
export interface LedgerOutcome {
  wallet: number
  /** Posted: the seq of the operation. Refused: the seq of the wallet at the decision. */
  seq: number
  verb: MoveVerb
  amountMinor: number
  /** −1: refused. */
  balanceAfter: number
  /** Empty: posted. */
  code: string
}

export class Outcomes {
  readonly #wallet: Int32Array
  readonly #seq: Uint32Array
  readonly #verb: Uint8Array
  readonly #amount: Float64Array
  readonly #balanceAfter: Float64Array
  readonly #code: Uint8Array
  readonly #codes: string[] = ['']

  constructor(pairs: number) {
    this.#wallet = new Int32Array(pairs).fill(-1)
    this.#seq = new Uint32Array(pairs)
    this.#verb = new Uint8Array(pairs)
    this.#amount = new Float64Array(pairs)
    this.#balanceAfter = new Float64Array(pairs)
    this.#code = new Uint8Array(pairs)
  }

  /** Returns false if the pair already has an outcome, which is kept. */
  set(pair: number, outcome: LedgerOutcome): boolean {
    if (this.get(pair) !== undefined) return false
    if (!this.#codes.includes(outcome.code)) this.#codes.push(outcome.code)
    this.#wallet[pair] = outcome.wallet
    this.#seq[pair] = outcome.seq
    this.#verb[pair] = VERBS.indexOf(outcome.verb)
    this.#amount[pair] = outcome.amountMinor
    this.#balanceAfter[pair] = outcome.balanceAfter
    this.#code[pair] = this.#codes.indexOf(outcome.code)
    return true
  }

  get(pair: number): LedgerOutcome | undefined {
    const wallet = this.#wallet[pair] ?? -1
    if (wallet < 0) return undefined
    return {
      wallet,
      seq: this.#seq[pair] ?? 0,
      verb: VERBS[this.#verb[pair] ?? 0] as MoveVerb,
      amountMinor: this.#amount[pair] ?? 0,
      balanceAfter: this.#balanceAfter[pair] ?? -1,
      code: this.#codes[this.#code[pair] ?? 0] ?? '',
    }
  }
}
