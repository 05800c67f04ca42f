/** Tests the checker: it accepts a correct scenario, and for each invariant it rejects a scenario that violates it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compareSeen } from './check-events.ts'
import { Findings, INVARIANTS, type Invariant } from './findings.ts'
import { findSecrets } from './find-secrets.ts'
import { Journal } from '../clients/journal.ts'
import { Scenario, type Move } from './scenario.ts'

/** Builds a correct scenario, breaks it, and requires that exactly these invariants are reported. */
function broken(expected: Invariant[], breakIt: (scenario: Scenario) => void) {
  const scenario = new Scenario()
  scenario.tellSound()
  breakIt(scenario)
  const found = scenario.check().list()
  assert.deepEqual(
    found.map(({ invariant }) => invariant),
    expected,
    JSON.stringify(found, undefined, 1),
  )
}

const DEBIT: Move = { app: 0, verb: 'debit', wallet: 0, amountMinor: 30 }

describe('the checker', () => {
  it('finds nothing in a correct scenario', () => broken([], () => undefined))

  it('1: a confirmed operation that is missing', () =>
    broken([1], (scenario) => {
      const pair = scenario.send(DEBIT)
      scenario.respond(pair, 200, 70)
    }))

  it('1: a confirmed operation that was executed with another amount', () =>
    broken([1, 4], (scenario) => {
      const pair = scenario.send({ ...DEBIT, amountMinor: 1999 })
      scenario.post(pair, { ...DEBIT, amountMinor: 1 })
      scenario.respond(pair, 200)
    }))

  it('1: a lookup that found a missing operation', () =>
    broken([1], (scenario) => {
      const pair = scenario.send(DEBIT)
      scenario.lookUp(pair, 'posted', 70)
    }))

  it('2: an operation that was posted twice', () =>
    broken([2], (scenario) => {
      const pair = scenario.send(DEBIT)
      const balance = scenario.post(pair, DEBIT)
      scenario.post(pair, DEBIT)
      scenario.respond(pair, 200, balance)
    }))

  it('2: a top-up that was credited twice', () =>
    broken([2, 9], (scenario) => {
      scenario.topUp('pi_2', 0, 50)
      scenario.postService('topup', 'TOPUP', 'pi_2', 0, 50)
    }))

  it('3: two responses that differ', () =>
    broken([3, 6], (scenario) => {
      const pair = scenario.send(DEBIT)
      const balance = scenario.post(pair, DEBIT)
      scenario.respond(pair, 200, balance)
      scenario.repeat(pair, DEBIT)
      scenario.respondRefusal(pair, 'INSUFFICIENT_BALANCE')
    }))

  it('3: two responses that both claim to be the original', () =>
    broken([3], (scenario) => {
      const pair = scenario.send(DEBIT)
      const balance = scenario.post(pair, DEBIT)
      scenario.respond(pair, 200, balance)
      scenario.repeat(pair, DEBIT)
      scenario.respond(pair, 200, balance)
    }))

  it('3: a replay with another transaction id, but not one without it', () => {
    const repeat = (ids: string[]) => (scenario: Scenario) => {
      const pair = scenario.send(DEBIT)
      const balance = scenario.post(pair, DEBIT)
      for (const [index, id] of ids.entries()) {
        if (index > 0) scenario.repeat(pair, DEBIT)
        const text = `{"balance":${balance / 100},"message":"Done."${id}}`
        scenario.respond(pair, 200, balance, { text, isReplayed: index > 0 })
      }
    }
    const [one, other] = ['1', '2'].map((digit) => `,"transactionId":"txn_${digit.repeat(32)}"`)
    assert(one && other)
    broken([3], repeat([one, other]))
    broken([], repeat([one, '', one]))
  })

  it('4: an operation that nobody requested', () =>
    broken([4], (scenario) => scenario.postAs(0, 'ORDER', 'r-77', DEBIT)))

  it("4: an operation under another app's scope", () =>
    broken([1, 4], (scenario) => {
      const pair = scenario.send(DEBIT)
      scenario.postAs(1, 'ORDER', 'r-77', DEBIT)
      scenario.respond(pair, 200)
    }))

  it('4: a bonus without a cause', () =>
    broken([4], (scenario) => scenario.postService('bonus', 'BONUS', 'b-9', 0, 5)))

  it('4: a refusal that nobody requested', () =>
    broken([4], (scenario) => scenario.recordRefusal(undefined, { ...DEBIT, amountMinor: 9999 })))

  /** A debit was requested for two users with the same reference. The ledger executed it for the second one. */
  function debitOther(scenario: Scenario): number {
    const pair = scenario.send(DEBIT)
    scenario.repeat(pair, { ...DEBIT, wallet: 1 })
    scenario.respond(pair, 200, scenario.post(pair, { ...DEBIT, wallet: 1 }))
    return pair
  }
  const refundOf = (target: number, wallet: number): Move => {
    return { app: 0, verb: 'refund', wallet, amountMinor: 5, target }
  }

  it('finds nothing in a refund on the wallet of its debit, whichever wallet its client expected', () =>
    broken([], (scenario) => {
      const debit = debitOther(scenario)
      const pair = scenario.send(refundOf(debit, 0))
      scenario.respond(pair, 200, scenario.post(pair, refundOf(debit, 1)))
    }))

  it('4: a refund of another debit than the one that its request names', () =>
    broken([4], (scenario) => {
      const debit = debitOther(scenario)
      const other = scenario.move({ ...DEBIT, wallet: 1 })
      const pair = scenario.send(refundOf(debit, 1))
      scenario.respond(pair, 200, scenario.post(pair, refundOf(other, 1)))
    }))

  it('5: a balance that is not the sum', () =>
    broken([5, 9], (scenario) => {
      scenario.book(0).balance += 1n
    }))

  it('5: a gap in the chain', () =>
    broken([5, 6, 8, 9, 10], (scenario) => {
      scenario.book(1).operations.splice(0, 1)
    }))

  it('5: a running balance of an account that is not the sum', () =>
    broken([5], (scenario) => {
      scenario.accountOffset = 1n
    }))

  it('6: a balance in a response that differs from the operation', () =>
    broken([6], (scenario) => {
      const pair = scenario.send(DEBIT)
      const balance = scenario.post(pair, DEBIT)
      scenario.respond(pair, 200, balance + 1)
    }))

  it('6: a repeat that differs, without the mismatch header', () =>
    broken([6], (scenario) => {
      const pair = scenario.send(DEBIT)
      const balance = scenario.post(pair, DEBIT)
      scenario.respond(pair, 200, balance)
      scenario.repeat(pair, { ...DEBIT, verb: 'credit' })
      scenario.respond(pair, 200, balance, { isReplayed: true, differs: 'amount' })
    }))

  it('7: an operation placed before one that was confirmed before it was sent', () =>
    broken([7], (scenario) => {
      const early = scenario.send(DEBIT)
      scenario.respond(early, 200, Number(scenario.book(0).balance) - 2 * DEBIT.amountMinor)
      const late = scenario.send(DEBIT)
      scenario.respond(late, 200, scenario.post(late, DEBIT))
      scenario.post(early, DEBIT)
    }))

  it('7: a read without an operation confirmed earlier', () =>
    broken([7], (scenario) => {
      const before = Number(scenario.book(0).balance)
      scenario.move(DEBIT)
      scenario.read(0, before)
    }))

  it('7: a history without an operation confirmed earlier', () =>
    broken([7], (scenario) => {
      const { balance, seq } = scenario.book(0)
      scenario.move(DEBIT)
      scenario.read(0, Number(balance), Number(seq))
    }))

  it('7: a lookup that finds nothing after the response', () =>
    broken([7], (scenario) => {
      const pair = scenario.move(DEBIT)
      scenario.lookUp(pair, 'undecided')
    }))

  it('8: a refusal although the balance was sufficient', () =>
    broken([8], (scenario) =>
      scenario.refuse({ ...DEBIT, amountMinor: 1 }, 'INSUFFICIENT_BALANCE'),
    ))

  it('8: a refusal for a limit that was not reached', () =>
    broken([8], (scenario) => {
      scenario.refuse(
        { app: 1, verb: 'credit', wallet: 0, amountMinor: 1 },
        'CREDIT_LIMIT_EXCEEDED',
      )
    }))

  it('8: a credit beyond the limit', () =>
    broken([8], (scenario) => {
      scenario.move({ app: 1, verb: 'credit', wallet: 0, amountMinor: 101 })
    }))

  it('8: a wallet that was not frozen', () =>
    broken([8], (scenario) => scenario.refuse(DEBIT, 'WALLET_INACTIVE')))

  it('8: a debit of a frozen wallet', () =>
    broken([8], (scenario) => {
      scenario.freeze(0, () => scenario.move(DEBIT))
    }))

  it('9: a payment that was never credited', () =>
    broken([9], (scenario) => scenario.pay('pi_3', 0, 50)))

  it('9: a payment that was credited with another amount', () =>
    broken([9], (scenario) => {
      scenario.pay('pi_3', 0, 50)
      scenario.postService('topup', 'TOPUP', 'pi_3', 0, 49)
    }))

  it('10: an operation that was changed afterwards', () =>
    broken([10], (scenario) => {
      const [first] = scenario.book(1).operations
      assert(first !== undefined)
      first.createdAtMs += 1
    }))

  it('10: a recorded head that is missing', () =>
    broken([10], (scenario) => {
      scenario.see(0)
      const [head] = scenario.heads
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

  it('12: a status that the contract does not list', () =>
    broken([12], (scenario) => {
      const pair = scenario.move(DEBIT)
      scenario.repeat(pair, DEBIT)
      scenario.fail(pair, 500)
    }))

  it('12: a pair without a definite response', () =>
    broken([12], (scenario) => void scenario.send(DEBIT)))

  /** One event that is stored, and what the feed and the webhook got. */
  function seen(feed: string[], received: string[]): string[] {
    const as = (id: string) => ({ id, sequence: 1, text: id })
    const app = {
      clientId: 'app_1',
      feed: feed.map(as),
      received: new Map(received.map((id) => [id, as(id)])),
      before: 0,
    }
    const faults: string[] = []
    const stored = [{ id: 'evt_1', sequence: 1n, type: 'link.ended', topup_id: null }]
    compareSeen(app, stored, (fault) => faults.push(fault))
    return faults
  }

  it('13: an event that the feed or the webhook did not get, or got twice or as another one', () => {
    assert.deepEqual(seen(['evt_1'], ['evt_1']), [])
    assert.equal(seen(['evt_1'], []).length, 1)
    assert.equal(seen(['evt_1', 'evt_1'], ['evt_1']).length, 1)
    assert.equal(seen(['evt_2'], ['evt_1']).length, 2)
    assert.equal(seen(['evt_1'], ['evt_1', 'evt_2']).length, 1)
  })

  it('an operation that fails on purpose may fail, as long as it is decided in the end', () =>
    broken([], (scenario) => {
      const pair = scenario.send(DEBIT, 'FAILING')
      scenario.fail(pair, 500)
      scenario.repeat(pair, DEBIT)
      const balance = scenario.post(pair, DEBIT)
      scenario.respond(pair, 200, balance)
    }))

  it('has a test for every invariant', async () => {
    const { readFileSync } = await import('node:fs')
    const titles = readFileSync(import.meta.filename, 'utf8')
    const missing = Object.keys(INVARIANTS).filter((number) => !titles.includes(`it('${number}: `))
    assert.deepEqual(missing, [])
  })

  it('keeps a request in less than 200 bytes, with room to grow', () => {
    const journal = new Journal()
    const text = '{"balance":1.5,"message":"Debit completed."}'
    const response = { status: 200, text, isOurs: true, isReplayed: false, differs: '' }
    const before = process.memoryUsage().arrayBuffers
    for (let index = 0; index < 131_072; index++) {
      const at = journal.send({ ...DEBIT, pair: journal.openPair(index % 4) }, index)
      journal.receive(at, response, 0, index)
    }
    assert.equal(journal.shapes.length, 2)
    assert((process.memoryUsage().arrayBuffers - before) / 131_072 < 200)
  })
})
