/** The checker is checked: a sound story passes, and for each invariant there is a story that it must not let pass. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Findings, INVARIANTS, type Invariant } from './findings.ts'
import { findSecrets } from './find-secrets.ts'
import { Journal } from '../clients/journal.ts'
import { Story, type Move } from './story.ts'

/** Tells a sound story, spoils it, and demands that exactly these invariants are named. */
function spoiled(expected: Invariant[], spoil: (story: Story) => void) {
  const story = new Story()
  story.tellSound()
  spoil(story)
  const found = story.check().list()
  assert.deepEqual(
    found.map(({ invariant }) => invariant),
    expected,
    JSON.stringify(found, undefined, 1),
  )
}

const DEBIT: Move = { app: 0, verb: 'debit', wallet: 0, amountMinor: 30 }

describe('the checker', () => {
  it('finds nothing in a sound story', () => spoiled([], () => undefined))

  it('1: an answered operation that is not there', () =>
    spoiled([1], (story) => {
      const pair = story.send(DEBIT)
      story.answer(pair, 200, 70)
    }))

  it('1: an answered operation that was executed with another amount', () =>
    spoiled([1, 4], (story) => {
      const pair = story.send({ ...DEBIT, amountMinor: 1999 })
      story.post(pair, { ...DEBIT, amountMinor: 1 })
      story.answer(pair, 200)
    }))

  it('1: a look-up of what is not there', () =>
    spoiled([1], (story) => {
      const pair = story.send(DEBIT)
      story.lookUp(pair, 'posted', 70)
    }))

  it('2: an operation that was posted twice', () =>
    spoiled([2], (story) => {
      const pair = story.send(DEBIT)
      const balance = story.post(pair, DEBIT)
      story.post(pair, DEBIT)
      story.answer(pair, 200, balance)
    }))

  it('2: a top-up that was credited twice', () =>
    spoiled([2, 9], (story) => {
      story.topUp('pi_2', 0, 50)
      story.postService('topup', 'TOPUP', 'pi_2', 0, 50)
    }))

  it('3: two answers that differ', () =>
    spoiled([3, 6], (story) => {
      const pair = story.send(DEBIT)
      const balance = story.post(pair, DEBIT)
      story.answer(pair, 200, balance)
      story.repeat(pair, DEBIT)
      story.refuseAnswer(pair, 'INSUFFICIENT_BALANCE')
    }))

  it('3: two answers that both claim to be the first', () =>
    spoiled([3], (story) => {
      const pair = story.send(DEBIT)
      const balance = story.post(pair, DEBIT)
      story.answer(pair, 200, balance)
      story.repeat(pair, DEBIT)
      story.answer(pair, 200, balance)
    }))

  it('4: an operation that nobody asked for', () =>
    spoiled([4], (story) => story.postAs(0, 'ORDER', 'r-77', DEBIT)))

  it("4: an operation under another app's scope", () =>
    spoiled([1, 4], (story) => {
      const pair = story.send(DEBIT)
      story.postAs(1, 'ORDER', 'r-77', DEBIT)
      story.answer(pair, 200)
    }))

  it('4: money from nowhere', () =>
    spoiled([4], (story) => story.postService('bonus', 'BONUS', 'b-9', 0, 5)))

  it('4: a refusal that nobody asked for', () =>
    spoiled([4], (story) => story.recordRefusal(undefined, { ...DEBIT, amountMinor: 9999 })))

  it('5: a balance that is not the sum', () =>
    spoiled([5, 9], (story) => {
      story.book(0).balance += 1n
    }))

  it('5: a gap in the chain', () =>
    spoiled([5, 6, 8, 9, 10], (story) => {
      story.book(1).operations.splice(0, 1)
    }))

  it('5: a running balance of an account that is not the sum', () =>
    spoiled([5], (story) => {
      story.accountOffset = 1n
    }))

  it('6: a balance in an answer that the operation did not leave', () =>
    spoiled([6], (story) => {
      const pair = story.send(DEBIT)
      const balance = story.post(pair, DEBIT)
      story.answer(pair, 200, balance + 1)
    }))

  it('6: a repeat that differs and was not told so', () =>
    spoiled([6], (story) => {
      const pair = story.send(DEBIT)
      const balance = story.post(pair, DEBIT)
      story.answer(pair, 200, balance)
      story.repeat(pair, { ...DEBIT, verb: 'credit' })
      story.answer(pair, 200, balance, { isReplayed: true, differs: 'amount' })
    }))

  it('7: an operation that overtook one that was answered before it was sent', () =>
    spoiled([7], (story) => {
      const early = story.send(DEBIT)
      story.answer(early, 200, Number(story.book(0).balance) - 2 * DEBIT.amountMinor)
      const late = story.send(DEBIT)
      story.answer(late, 200, story.post(late, DEBIT))
      story.post(early, DEBIT)
    }))

  it('7: a read that does not contain what was answered before', () =>
    spoiled([7], (story) => {
      const before = Number(story.book(0).balance)
      story.move(DEBIT)
      story.read(0, before)
    }))

  it('7: a history that does not contain what was answered before', () =>
    spoiled([7], (story) => {
      const { balance, seq } = story.book(0)
      story.move(DEBIT)
      story.read(0, Number(balance), Number(seq))
    }))

  it('7: a look-up that finds nothing after the answer', () =>
    spoiled([7], (story) => {
      const pair = story.move(DEBIT)
      story.lookUp(pair, 'undecided')
    }))

  it('8: a refusal although there was enough', () =>
    spoiled([8], (story) => story.refuse({ ...DEBIT, amountMinor: 1 }, 'INSUFFICIENT_BALANCE')))

  it('8: a refusal for a limit that was not reached', () =>
    spoiled([8], (story) => {
      story.refuse({ app: 1, verb: 'credit', wallet: 0, amountMinor: 1 }, 'CREDIT_LIMIT_EXCEEDED')
    }))

  it('8: a credit beyond the limit', () =>
    spoiled([8], (story) => {
      story.move({ app: 1, verb: 'credit', wallet: 0, amountMinor: 101 })
    }))

  it('8: a wallet that was not frozen', () =>
    spoiled([8], (story) => story.refuse(DEBIT, 'WALLET_INACTIVE')))

  it('8: a debit of a frozen wallet', () =>
    spoiled([8], (story) => {
      story.freeze(0, () => story.move(DEBIT))
    }))

  it('9: a payment that was never credited', () =>
    spoiled([9], (story) => story.pay('pi_3', 0, 50)))

  it('9: a payment that was credited with another amount', () =>
    spoiled([9], (story) => {
      story.pay('pi_3', 0, 50)
      story.postService('topup', 'TOPUP', 'pi_3', 0, 49)
    }))

  it('10: an operation that was changed afterwards', () =>
    spoiled([10], (story) => {
      const [first] = story.book(1).operations
      assert(first !== undefined)
      first.createdAtMs += 1
    }))

  it('10: a head that was seen and is gone', () =>
    spoiled([10], (story) => {
      story.see(0)
      const [head] = story.heads
      assert(head !== undefined)
      head.hash = Buffer.alloc(32, 1)
    }))

  it('11: a secret in a text', () => {
    const findings = new Findings()
    findSecrets('a log', 'GET /x?clientSecret=s3cr3t-canary', ['s3cr3t-canary'], findings)
    assert.deepEqual([...findings.counts.keys()], [11])
    findSecrets('a log', 'GET /x', ['s3cr3t-canary'], findings)
    assert.equal(findings.counts.get(11), 1)
  })

  it('12: a status that the contract does not foresee', () =>
    spoiled([12], (story) => {
      const pair = story.move(DEBIT)
      story.repeat(pair, DEBIT)
      story.fail(pair, 500)
    }))

  it('12: a pair without a definite answer', () => spoiled([12], (story) => void story.send(DEBIT)))

  it('a poisoned operation may fail, as long as it is decided in the end', () =>
    spoiled([], (story) => {
      const pair = story.send(DEBIT, 'POISON')
      story.fail(pair, 500)
      story.repeat(pair, DEBIT)
      const balance = story.post(pair, DEBIT)
      story.answer(pair, 200, balance)
    }))

  it('knows every invariant by a story of its own', async () => {
    const { readFileSync } = await import('node:fs')
    const titles = readFileSync(import.meta.filename, 'utf8')
    const missing = Object.keys(INVARIANTS).filter((number) => !titles.includes(`it('${number}: `))
    assert.deepEqual(missing, [])
  })

  it('keeps a request in less than 200 bytes, with room to grow', () => {
    const journal = new Journal()
    const text = '{"balance":1.5,"message":"Debit completed."}'
    const answer = { status: 200, text, isOurs: true, isReplayed: false, differs: '' }
    const before = process.memoryUsage().arrayBuffers
    for (let index = 0; index < 131_072; index++) {
      const at = journal.send({ ...DEBIT, pair: journal.openPair(index % 4) }, index)
      journal.receive(at, answer, 0, index)
    }
    assert.equal(journal.shapes.length, 2)
    assert((process.memoryUsage().arrayBuffers - before) / 131_072 < 200)
  })
})
