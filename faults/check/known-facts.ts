/** What the checker knows beside the journal: who was there, what else had to happen, and what was seen on the way. */
import type { Operation, Refusal } from '../../server/ledger/types.ts'

/** A movement that no client app asked for: an opening gift, a top-up, a dispute. */
export interface Expected {
  wallet: number
  /** What the person's position (balance − debt) changes by. */
  netMinor: number
  /** From when on it could happen, and when somebody was told that it had; Infinity: never. */
  sentMs: number
  respondedMs: number
}

export interface KnownFacts {
  /** In the order of the journal's numbers. */
  apps: readonly { account: number; creditLimit: number | undefined }[]
  wallets: readonly bigint[]
  /** By type and id of the reference, with a space between. */
  expected: ReadonlyMap<string, Expected>
  /** What the card processor paid out to us minus what it took back. */
  processorMinor: number
  heads: readonly { walletId: bigint; seq: bigint; hash: Buffer }[]
  /** Frozen for certain between the two inner times, possibly between the outer ones. */
  freezes: readonly Freeze[]
}

export interface Freeze {
  wallet: number
  fromMs: number
  surelyFromMs: number
  surelyToMs: number
  toMs: number
}

/** Everything that the ledger has of one wallet. */
export interface WalletBook {
  walletId: bigint
  balance: bigint
  debt: bigint
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
