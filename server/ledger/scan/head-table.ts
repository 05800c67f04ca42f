/**
 * The heads of many wallets, in 64 bytes each, which fit into one cache line. A table has the wallets of one shard: those
 * whose id has the same remainder. The ids are nearly without gaps, so that the id gives the position.
 */
import type { Head } from '../types.ts'

export interface Shard {
  index: number
  /** How many shards there are. */
  count: number
  /** The lowest id of all wallets. */
  firstId: number
  /** How many wallets fit into the table of a shard. */
  slots: number
}

const BYTES = 64
/** A head has eight numbers of 64 bits, or sixteen words of 32 bits. */
const NUMBERS = 8
const WORDS = 16
/** seq, balance and debt are the first numbers. */
const BALANCE = 1
const DEBT = 2
/** The flags are the low bits; the others are the high part of the held amount, the next word is its low part. */
const FLAGS = 6
const FLAG_BITS = 2
const FLAG_MASK = 3
const WORD = 4_294_967_296
const HASH = 8
/** Numbers up to this size, and sums of a few of them, are exact. It is more than twice the highest possible balance. */
const SMALL = 2 ** 51

/** A wallet that this table says nothing about, because it could not confirm it. */
export const SUSPECT = 1
export const PRESENT = 2

export class HeadTable {
  readonly buffer: SharedArrayBuffer
  readonly shard: Shard
  readonly #numbers: Float64Array
  readonly #words: Uint32Array

  constructor(shard: Shard, buffer = new SharedArrayBuffer(shard.slots * BYTES)) {
    this.shard = shard
    this.buffer = buffer
    this.#numbers = new Float64Array(buffer)
    this.#words = new Uint32Array(buffer)
  }

  /** Returns undefined if the id is outside of the table. */
  slotOf(id: number): number | undefined {
    const { count, index, firstId, slots } = this.shard
    const slot = (id - index) / count - Math.floor(firstId / count)
    return slot >= 0 && slot < slots && Number.isInteger(slot) ? slot : undefined
  }

  idOf(slot: number): number {
    const { count, index, firstId } = this.shard
    return (slot + Math.floor(firstId / count)) * count + index
  }

  seq(slot: number): number {
    return this.#numbers[slot * NUMBERS] as number
  }

  balance(slot: number): number {
    return this.#numbers[slot * NUMBERS + BALANCE] as number
  }

  debt(slot: number): number {
    return this.#numbers[slot * NUMBERS + DEBT] as number
  }

  held(slot: number): number {
    const at = slot * WORDS + FLAGS
    return ((this.#words[at] as number) >>> FLAG_BITS) * WORD + (this.#words[at + 1] as number)
  }

  is(slot: number, flag: number): boolean {
    return ((this.#words[slot * WORDS + FLAGS] as number) & flag) !== 0
  }

  mark(slot: number, flag: number) {
    const at = slot * WORDS + FLAGS
    this.#words[at] = (this.#words[at] as number) | flag
  }

  /** The held amount must be possible, see `isPossible`; the others may be wrong. */
  set(slot: number, seq: number, balance: number, debt: number, held: number) {
    const at = slot * NUMBERS
    this.#numbers[at] = seq
    this.#numbers[at + BALANCE] = balance
    this.#numbers[at + DEBT] = debt
    const flagsAt = slot * WORDS + FLAGS
    const flags = (this.#words[flagsAt] as number) & FLAG_MASK
    this.#words[flagsAt] = (Math.floor(held / WORD) << FLAG_BITS) | flags
    this.#words[flagsAt + 1] = held % WORD
  }

  copyHashTo(slot: number, to: DataView, toAt: number) {
    const from = slot * WORDS + HASH
    for (let word = 0; word < 8; word++) {
      to.setUint32(toAt + 4 * word, this.#words[from + word] as number)
    }
  }

  setHash(slot: number, from: DataView, fromAt: number) {
    const to = slot * WORDS + HASH
    for (let word = 0; word < 8; word++) this.#words[to + word] = from.getUint32(fromAt + 4 * word)
  }

  hasHash(slot: number, other: DataView, otherAt: number): boolean {
    const own = slot * WORDS + HASH
    for (let word = 0; word < 8; word++) {
      if (this.#words[own + word] !== other.getUint32(otherAt + 4 * word)) return false
    }
    return true
  }

  /** Returns false if the head does not fit into the table. */
  add(head: Head): boolean {
    const numbers = [head.id, head.seq, head.balance, head.debt, head.held].map(Number)
    const [id, seq, balance, debt, held] = numbers as [number, number, number, number, number]
    const slot = this.slotOf(id)
    if (slot === undefined || !numbers.every(isSmall) || held < 0) return false
    this.set(slot, seq, balance, debt, held)
    const { buffer, byteOffset, length } = head.headHash
    this.setHash(slot, new DataView(buffer, byteOffset, length), 0)
    this.mark(slot, PRESENT)
    return true
  }

  read(id: bigint): Head | undefined {
    const slot = this.slotOf(Number(id))
    if (slot === undefined || !this.is(slot, PRESENT)) return undefined
    const headHash = Buffer.alloc(32)
    this.copyHashTo(slot, new DataView(headHash.buffer, headHash.byteOffset), 0)
    return {
      id,
      seq: BigInt(this.seq(slot)),
      balance: BigInt(this.balance(slot)),
      debt: BigInt(this.debt(slot)),
      held: BigInt(this.held(slot)),
      headHash,
    }
  }
}

export function isSmall(value: number): boolean {
  return value > -SMALL && value < SMALL
}

/** Reads a bigint column; the result is exact if it is small. */
export function readInteger(view: DataView, at: number): number {
  return view.getInt32(at) * 4_294_967_296 + view.getUint32(at + 4)
}
