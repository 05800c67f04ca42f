/**
 * Verifies the hash chains of a shard's wallets while operations arrive in the order in which they are stored, which is
 * nearly the order of time. It keeps the head of each wallet. It confirms wallets and names no fault: a wallet that it
 * cannot confirm is a suspect, and verify.ts walks it.
 */
import { KINDS } from '../digest.ts'
import { GROUP_MASK, type SetSums } from './fingerprint.ts'
import { HeadTable, isSmall, PRESENT, readInteger, SUSPECT, type Shard } from './head-table.ts'
import { LINK, Link, readLink, ROW, WORD } from './read-link.ts'

/** Positions in a row of `scanWallets`. */
const WALLET = { id: 4, seq: 16, balance: 28, debt: 40, held: 52, hash: 64 }
/** The kinds that move money only between balance and held. */
const INSIDE = new Set((['hold', 'release', 'expiry'] as const).map((kind) => KINDS.indexOf(kind)))
/** Links that arrived before their predecessors. If there are more, their wallets become suspects. */
const WAITING_MAX = 200_000

/** An exact sum that needs a bigint only now and then. */
class Total {
  #small = 0
  #large = 0n

  /** Adds one column. */
  addOne(view: DataView, at: number, sign: 1 | -1) {
    this.#large += BigInt(sign) * view.getBigInt64(at)
  }

  /** Adds the difference of two columns. */
  add(view: DataView, plusAt: number, minusAt: number) {
    const [plus, minus] = [readInteger(view, plusAt), readInteger(view, minusAt)]
    if (!isSmall(plus) || !isSmall(minus)) {
      this.#large += view.getBigInt64(plusAt) - view.getBigInt64(minusAt)
      return
    }
    this.#small += plus - minus
    if (isSmall(this.#small)) return
    this.#large += BigInt(this.#small)
    this.#small = 0
  }

  get value(): bigint {
    return this.#large + BigInt(this.#small)
  }
}

export class ChainScan {
  operations = 0
  wallets = 0
  readonly #heads: HeadTable
  readonly #checkpoint: HeadTable | undefined
  readonly #sums: SetSums
  readonly #link = new Link()
  /** By slot and seq. */
  readonly #waiting = new Map<number, Map<number, Link>>()
  #waitingLinks = 0
  readonly #accounts = new Map<number, Total>()
  #lastAccount = Number.NaN
  #lastTotal = new Total()
  readonly #people = new Total()
  /** Wallets outside of the table. */
  readonly #strays = new Set<bigint>()

  readonly #archivedBefore: number
  readonly #waitingMax: number

  /** `archivedBefore` is a time as PostgreSQL stores it; the keys of earlier operations are not compared. */
  constructor(
    shard: Shard,
    sums: SetSums,
    checkpoint: HeadTable | undefined,
    archivedBefore: number,
    waitingMax = WAITING_MAX,
  ) {
    this.#heads = new HeadTable(shard)
    this.#checkpoint = checkpoint
    this.#sums = sums
    this.#archivedBefore = archivedBefore
    this.#waitingMax = waitingMax
  }

  /** Call this for each archived head before all operations. */
  takeArchivedHead = (_bytes: Buffer, row: DataView, at: number) => {
    const columns = [WALLET.seq, WALLET.balance, WALLET.debt, WALLET.held]
    const numbers = columns.map((column) => readInteger(row, at + column))
    const [seq, balance, debt, held] = numbers as [number, number, number, number]
    const slot = this.#heads.slotOf(readInteger(row, at + WALLET.id))
    if (slot === undefined) {
      this.#strays.add(row.getBigInt64(at + WALLET.id))
      return
    }
    const isSound = isPossible(balance) && isPossible(debt) && isPossible(held)
    this.#heads.set(slot, seq, balance, debt, isSound ? held : 0)
    this.#heads.setHash(slot, row, at + WALLET.hash)
    const checkpoint = this.#checkpoint
    const isKnown = checkpoint?.seq(slot) !== seq || checkpoint.hasHash(slot, row, at + WALLET.hash)
    if (!isKnown || !isSound) this.#suspect(slot)
  }

  takeOperation = (bytes: Buffer, row: DataView, at: number) => {
    this.operations++
    readLink(this.#link, bytes, row, at)
    if (readInteger(row, at + ROW.time) >= this.#archivedBefore) this.#addElement(row, at)
    const { view } = this.#link
    const account = readInteger(row, at + ROW.account)
    const total = this.#accountOf(account)
    total.add(view, LINK.debtChange, LINK.amount)
    if (this.#link.isExtended) total.addOne(view, LINK.heldChange, -1)
    const slot = this.#heads.slotOf(readInteger(row, at + ROW.wallet))
    if (slot === undefined) this.#strays.add(row.getBigInt64(at + ROW.wallet))
    else if (this.#heads.is(slot, SUSPECT)) return
    // The hash covers only 32 bits of the account.
    else if (account !== (account | 0)) this.#suspect(slot)
    else if (readInteger(view, LINK.seq) > this.#heads.seq(slot) + 1) this.#wait(slot)
    else if (this.#follows(slot, this.#link)) this.#takeWaiting(slot)
    else this.#suspect(slot)
  }

  /** Call this for each wallet after all operations. */
  takeWallet = (_bytes: Buffer, row: DataView, at: number) => {
    this.wallets++
    this.#people.add(row, at + WALLET.balance, at + WALLET.debt)
    const held = readInteger(row, at + WALLET.held)
    if (held !== 0) this.#people.addOne(row, at + WALLET.held, 1)
    const heads = this.#heads
    const slot = heads.slotOf(readInteger(row, at + WALLET.id))
    if (slot === undefined) {
      this.#strays.add(row.getBigInt64(at + WALLET.id))
      return
    }
    heads.mark(slot, PRESENT)
    const seq = readInteger(row, at + WALLET.seq)
    const isConfirmed =
      heads.seq(slot) === seq &&
      heads.balance(slot) === readInteger(row, at + WALLET.balance) &&
      heads.debt(slot) === readInteger(row, at + WALLET.debt) &&
      heads.held(slot) === held &&
      heads.hasHash(slot, row, at + WALLET.hash) &&
      seq >= (this.#checkpoint?.seq(slot) ?? 0)
    if (!isConfirmed) this.#suspect(slot)
  }

  /** Call this after all rows. */
  finish() {
    for (const slot of this.#waiting.keys()) this.#heads.mark(slot, SUSPECT)
    const suspects = [...this.#strays]
    for (let slot = 0; slot < this.#heads.shard.slots; slot++) {
      const isExpected = this.#heads.seq(slot) > 0 || this.#checkpoint?.is(slot, PRESENT) === true
      const isMissing = isExpected && !this.#heads.is(slot, PRESENT)
      if (isMissing || this.#heads.is(slot, SUSPECT)) suspects.push(BigInt(this.#heads.idOf(slot)))
    }
    const accounts = new Map([...this.#accounts].map(([id, { value }]) => [id, value]))
    return { suspects, accounts, people: this.#people.value }
  }

  #addElement(row: DataView, at: number) {
    const { element } = this.#sums
    const { view } = this.#link
    const { isExtended } = this.#link
    for (let word = 0; word < 4; word++) {
      const target = isExtended ? view.getInt32(LINK.target + 4 * word) : 0
      element[word] = view.getInt32(LINK.digest + 4 * word) ^ target
    }
    for (let word = 0; word < 2; word++) {
      element[4 + word] = row.getInt32(at + ROW.wallet + 4 * word)
      element[6 + word] = row.getInt32(at + ROW.seq + 4 * word)
      element[8 + word] = row.getInt32(at + ROW.time + 4 * word)
    }
    const moved = movedBy(this.#link)
    element[10] = view.getUint8(LINK.kind)
    element[11] = Math.floor(moved / WORD)
    element[12] = moved | 0
    element[13] = view.getInt32(LINK.balance)
    element[14] = view.getInt32(LINK.balance + 4)
    this.#sums.add((element[5] as number) & GROUP_MASK, 1)
  }

  /** Whether the link follows the wallet's head; if it does, it becomes the head. */
  #follows(slot: number, link: Link): boolean {
    const heads = this.#heads
    const { view } = link
    const seq = readInteger(view, LINK.seq)
    const balance = readInteger(view, LINK.balance)
    const debt = readInteger(view, LINK.debt)
    const held = link.isExtended ? readInteger(view, LINK.held) : 0
    const heldChange = link.isExtended ? readInteger(view, LINK.heldChange) : 0
    heads.copyHashTo(slot, view, LINK.previous)
    const isSound =
      seq === heads.seq(slot) + 1 &&
      isPossible(balance) &&
      isPossible(debt) &&
      isPossible(held) &&
      held === heads.held(slot) + heldChange &&
      balance === heads.balance(slot) + readInteger(view, LINK.amount) &&
      debt === heads.debt(slot) + readInteger(view, LINK.debtChange) &&
      link.hasItsHash()
    if (!isSound) return false
    const checkpoint = this.#checkpoint
    if (checkpoint?.seq(slot) === seq && !checkpoint.hasHash(slot, view, LINK.hash)) return false
    heads.set(slot, seq, balance, debt, held)
    heads.setHash(slot, view, LINK.hash)
    return true
  }

  #wait(slot: number) {
    const links = this.#waiting.get(slot) ?? new Map<number, Link>()
    const seq = readInteger(this.#link.view, LINK.seq)
    if (this.#waitingLinks >= this.#waitingMax || links.has(seq)) {
      this.#suspect(slot)
      return
    }
    links.set(seq, this.#link.copy())
    this.#waiting.set(slot, links)
    this.#waitingLinks++
  }

  #takeWaiting(slot: number) {
    if (this.#waiting.size === 0) return
    const links = this.#waiting.get(slot)
    for (;;) {
      const seq = this.#heads.seq(slot) + 1
      const link = links?.get(seq)
      if (links === undefined || link === undefined) return
      if (!this.#follows(slot, link)) {
        this.#suspect(slot)
        return
      }
      links.delete(seq)
      this.#waitingLinks--
      if (links.size === 0) this.#waiting.delete(slot)
    }
  }

  #suspect(slot: number) {
    this.#heads.mark(slot, SUSPECT)
    this.#waitingLinks -= this.#waiting.get(slot)?.size ?? 0
    this.#waiting.delete(slot)
  }

  /** Often the account is that of the operation before. */
  #accountOf(id: number): Total {
    if (id === this.#lastAccount) return this.#lastTotal
    const total = this.#accounts.get(id) ?? new Total()
    this.#accounts.set(id, total)
    this.#lastAccount = id
    this.#lastTotal = total
    return total
  }
}

/** The amount in the key of the operation, as `movedBy` in types.ts. */
function movedBy({ view, isExtended }: Link): number {
  const moved = readInteger(view, LINK.amount) - readInteger(view, LINK.debtChange)
  if (!isExtended) return Math.abs(moved)
  const held = readInteger(view, LINK.heldChange)
  return Math.abs(INSIDE.has(view.getUint8(LINK.kind)) ? held : moved + held)
}

function isPossible(amount: number): boolean {
  return amount >= 0 && isSmall(amount)
}
