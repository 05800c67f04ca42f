/** Checks the operations of one wallet in order: seqs, sums, hashes, and the chain heads recorded during the run. */
import { digestPair, GENESIS_HASH, hashOperation } from '../../server/ledger/digest.ts'
import { scopeOf } from '../../server/ledger/types.ts'
import type { Findings } from './findings.ts'
import type { WalletBook, KnownFacts } from './known-facts.ts'

export function checkChain(book: WalletBook, heads: KnownFacts['heads'], findings: Findings) {
  let [balance, debt, held, seq, hash] = [0n, 0n, 0n, 0n, GENESIS_HASH]
  for (const operation of book.operations) {
    const name = `wallet ${book.walletId}, operation ${operation.seq}`
    if (operation.seq !== seq + 1n)
      findings.add(5, `${name}: the operations after ${seq} are missing`)
    if (operation.balanceAfter !== balance + operation.amount) {
      findings.add(
        5,
        `${name}: the balance is ${operation.balanceAfter}, not ${balance} + ${operation.amount}`,
      )
    }
    if (operation.debtAfter !== debt + operation.debtChange) {
      findings.add(
        5,
        `${name}: the debt is ${operation.debtAfter}, not ${debt} + ${operation.debtChange}`,
      )
    }
    if (operation.heldAfter !== held + operation.heldChange) {
      findings.add(5, `${name}: the held amount after it is wrong`)
    }
    if (operation.balanceAfter < 0n || operation.debtAfter < 0n || operation.heldAfter < 0n)
      findings.add(5, `${name}: the balance, debt or held amount is negative`)
    const { referenceType, referenceId } = operation
    const digest = digestPair(scopeOf(operation), referenceType, referenceId)
    if (!hashOperation(hash, operation, digest).equals(operation.hash)) {
      findings.add(10, `${name}: the hash is wrong`)
    }
    balance = operation.balanceAfter
    debt = operation.debtAfter
    held = operation.heldAfter
    seq = operation.seq
    hash = operation.hash
  }
  if (book.held !== held)
    findings.add(5, `wallet ${book.walletId} holds ${book.held}, its operations add up to ${held}`)
  if (book.balance !== balance || book.debt !== debt || book.seq !== seq) {
    findings.add(
      5,
      `wallet ${book.walletId} has ${book.balance} after ${book.seq} operations, they add up to ${balance} after ${seq}`,
    )
  }
  if (!book.headHash.equals(hash)) findings.add(10, `wallet ${book.walletId}: the head is wrong`)
  checkHeads(book, heads, findings)
}

function checkHeads(
  { walletId, operations }: WalletBook,
  heads: KnownFacts['heads'],
  findings: Findings,
) {
  for (const head of heads) {
    if (head.walletId !== walletId) continue
    const hash = head.seq === 0n ? GENESIS_HASH : operations[Number(head.seq) - 1]?.hash
    if (hash?.equals(head.hash)) continue
    findings.add(10, `wallet ${walletId}: the head recorded at operation ${head.seq} is gone`)
  }
}
