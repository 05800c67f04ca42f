/**
 * Reads a row of `scanOperations` into a link of its wallet's chain. The layout is that of digest.ts, written down a
 * second time: a bigint and an object per field would cost several times as much as the hashes.
 */
import assert from 'node:assert/strict'
import { KINDS } from '../digest.ts'
import { readInteger } from './head-table.ts'
import { hashInput, input, pad, paddedBytes } from './sha256.ts'
import { scopeOf } from '../types.ts'

/** Positions in a row. Each value has its length in the four bytes before it. */
export const ROW = { wallet: 4, seq: 16, amount: 28, balance: 40, time: 52, account: 64, hash: 76 }
const ROW_KIND = 112

/** Positions in a link: the bytes that are hashed, their padding, and then the hash in the row. Version 2 has held amounts and a target. */
export const LINK = {
  version: 0,
  previous: 1,
  wallet: 33,
  seq: 41,
  amount: 49,
  balance: 57,
  debtChange: 65,
  debt: 73,
  time: 81,
  account: 89,
  kind: 93,
  digest: 94,
  heldChange: 110,
  held: 118,
  target: 126,
  hash: 192,
}
/** By version. */
const HASHED_BYTES = { 1: 110, 2: 142 }
const LINK_BYTES = 224
export const TARGET_BYTES = 16
/** PostgreSQL counts microseconds from the year 2000, the hash covers milliseconds from 1970. */
const EPOCH_MS = 946_684_800_000
export const WORD = 4_294_967_296

export class Link {
  readonly view: DataView
  readonly #bytes: Buffer
  readonly #hashed: Buffer
  #version: 1 | 2

  constructor(bytes = Buffer.alloc(LINK_BYTES)) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, LINK_BYTES)
    this.#bytes = bytes
    this.#hashed = bytes.subarray(0, LINK.hash)
    this.#version = bytes[LINK.version] === 2 ? 2 : 1
    this.#pad()
  }

  /** Whether it has held amounts and a target, which may be zero. */
  get isExtended(): boolean {
    return this.#version === 2
  }

  /** Call this before the held amounts and the target are written. */
  setVersion(version: 1 | 2) {
    if (version === this.#version) return
    this.#version = version
    this.#pad()
  }

  #pad() {
    this.#bytes.fill(0, HASHED_BYTES[1], LINK.hash)
    this.view.setUint8(LINK.version, this.#version)
    pad(this.#bytes, HASHED_BYTES[this.#version])
  }

  copy(): Link {
    return new Link(Buffer.from(this.#bytes))
  }

  /** Whether the hash in the row is the hash of the link. */
  hasItsHash(): boolean {
    input.set(this.#hashed)
    const computed = hashInput(paddedBytes(HASHED_BYTES[this.#version]))
    for (let word = 0; word < 8; word++) {
      if (computed[word] !== this.view.getInt32(LINK.hash + 4 * word)) return false
    }
    return true
  }
}

const kinds = createKindReader()

/** Fills the link from a row, except for the previous hash. */
export function readLink(link: Link, bytes: Buffer, row: DataView, at: number) {
  const { view } = link
  let lengths = row.getInt32(at + ROW.wallet - 4) ^ 8
  lengths |= row.getInt32(at + ROW.seq - 4) ^ 8
  lengths |= row.getInt32(at + ROW.amount - 4) ^ 8
  lengths |= row.getInt32(at + ROW.balance - 4) ^ 8
  lengths |= row.getInt32(at + ROW.time - 4) ^ 8
  lengths |= row.getInt32(at + ROW.account - 4) ^ 8
  lengths |= row.getInt32(at + ROW.hash - 4) ^ 32
  assert(lengths === 0, 'a column of ledger.operations is null')
  copy8(row, at + ROW.wallet, view, LINK.wallet)
  copy8(row, at + ROW.seq, view, LINK.seq)
  copy8(row, at + ROW.amount, view, LINK.amount)
  copy8(row, at + ROW.balance, view, LINK.balance)
  const timeMs = Math.floor(readInteger(row, at + ROW.time) / 1000) + EPOCH_MS
  view.setInt32(LINK.time, Math.floor(timeMs / WORD))
  view.setUint32(LINK.time + 4, timeMs % WORD)
  const account = row.getInt32(at + ROW.account + 4)
  view.setInt32(LINK.account, account)
  for (let word = 0; word < 32; word += 4) {
    view.setUint32(LINK.hash + word, row.getUint32(at + ROW.hash + word))
  }
  const kindAt = at + ROW_KIND
  const kindBytes = row.getInt32(kindAt - 4)
  const kind = kinds(bytes, kindAt, kindBytes)
  view.setUint8(LINK.kind, kind.number)
  const typeAt = kindAt + kindBytes + 4
  const idAt = typeAt + row.getInt32(typeAt - 4) + 4
  const digest = digestOf(kind.isOfApp ? account : 0, bytes, row, typeAt, idAt)
  for (let word = 0; word < 4; word++) {
    view.setInt32(LINK.digest + 4 * word, digest[word] as number)
  }
  const debtAt = copyRare(row, idAt + row.getInt32(idAt - 4), view, LINK.debtChange)
  const targetAt = copyRare(row, debtAt, view, LINK.debt) + 4
  const hasTarget = row.getInt32(targetAt - 4) === TARGET_BYTES
  const heldAt = hasTarget ? targetAt + TARGET_BYTES : targetAt
  const isHeld = row.getInt32(heldAt) === 8 || row.getInt32(heldAt + 4) === 8
  link.setVersion(hasTarget || isHeld ? 2 : 1)
  if (!link.isExtended) return
  copyRare(row, copyRare(row, heldAt, view, LINK.heldChange), view, LINK.held)
  for (let byte = 0; byte < TARGET_BYTES; byte += 4) {
    view.setUint32(LINK.target + byte, hasTarget ? row.getUint32(targetAt + byte) : 0)
  }
}

/** Reads the number that stands for a kind in a hash. Often the kind is that of the row before. */
export function createKindReader() {
  let label = Buffer.alloc(0)
  let known = { number: -1, isOfApp: false }
  return (bytes: Buffer, at: number, length: number) => {
    let isSame = length === label.length
    for (let byte = 0; isSame && byte < length; byte++) isSame = bytes[at + byte] === label[byte]
    if (isSame) return known
    label = Buffer.from(bytes.subarray(at, at + length))
    const number = KINDS.findIndex((each) => each === label.toString())
    const kind = KINDS[number]
    const isOfApp = kind !== undefined && scopeOf({ kind, counterAccount: 1 }) === 1
    known = { number, isOfApp }
    return known
  }
}

const PAIR_BYTES = 8 + 4 * 1024
const inputView = new DataView(input.buffer, input.byteOffset, input.length)

function digestOf(scope: number, bytes: Buffer, row: DataView, typeAt: number, idAt: number) {
  const typeBytes = row.getInt32(typeAt - 4)
  const idBytes = row.getInt32(idAt - 4)
  const length = 8 + typeBytes + idBytes
  assert(typeBytes >= 0 && idBytes >= 0 && length <= PAIR_BYTES, 'the pair fits into the input')
  inputView.setUint32(0, scope)
  inputView.setUint32(4, typeBytes)
  for (let byte = 0; byte < typeBytes; byte++) input[8 + byte] = bytes[typeAt + byte] as number
  const start = 8 + typeBytes
  for (let byte = 0; byte < idBytes; byte++) input[start + byte] = bytes[idAt + byte] as number
  pad(input, length)
  return hashInput(paddedBytes(length))
}

function copy8(from: DataView, at: number, to: DataView, toAt: number) {
  to.setUint32(toAt, from.getUint32(at))
  to.setUint32(toAt + 4, from.getUint32(at + 4))
}

/** null stands for 0. Returns the position after the column. */
function copyRare(from: DataView, at: number, to: DataView, toAt: number): number {
  if (from.getInt32(at) === 8) {
    copy8(from, at + 4, to, toAt)
    return at + 12
  }
  to.setUint32(toAt, 0)
  to.setUint32(toAt + 4, 0)
  return at + 4
}
