/** What the checker knows besides the journal: apps, wallets, expected movements, and observations made during the run. */
import type { Operation, Refusal } from '../../server/ledger/types.ts'

/** A movement that no client app requested: an opening bonus, a top-up, a dispute. */
export interface Expected {
  wallet: number
  /** The change of the person's position (balance − debt). */
  netMinor: number
  /** The earliest time at which it could happen, and the time at which a client got a confirmation; Infinity: never. */
  sentMs: number
  respondedMs: number
}

export interface KnownFacts {
  /** In the order of the journal's numbers. */
  apps: readonly { account: number; creditLimit: number | undefined }[]
  wallets: readonly bigint[]
  /** By type and id of the reference, separated by a space. */
  expected: ReadonlyMap<string, Expected>
  /** The amount that the card processor paid out to us minus the amount that it took back. */
  processorMinor: number
  heads: readonly { walletId: bigint; seq: bigint; hash: Buffer }[]
  /** Certainly frozen between the two inner times, possibly frozen between the outer ones. */
  freezes: readonly Freeze[]
}

export interface Freeze {
  wallet: number
  fromMs: number
  surelyFromMs: number
  surelyToMs: number
  toMs: number
}

/** Everything that the ledger stores about one wallet. */
export interface WalletBook {
  walletId: bigint
  balance: bigint
  debt: bigint
  held: bigint
  seq: bigint
  headHash: Buffer
  operations: readonly Operation[]
  refusals: readonly RefusedKey[]
}

export interface RefusedKey {
  digest: string
  seq: bigint
  code: Refusal
  kind: string
  amountMinor: bigint
}

/** The running balances of client apps with a credit limit. */
export interface AccountBook {
  account: number
  balance: bigint
}
