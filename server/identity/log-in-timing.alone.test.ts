/** Whether an e-mail has an account cannot be told from how long a log-in takes. */
import { logIn } from '@coffer/contract/widget-api'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callPage, openDoor } from '../test/sign-in.ts'
import type { Stage } from '../test/setup.ts'

const TRIES = 1_000
const WARM_UP = 25
/** The bound that is usual for timing leaks: chance passes it once in more than 100 000 runs. */
const T_MAX = 4.5

describe('the time that a log-in takes', () => {
  let stage: Stage
  before(async () => {
    stage = await openDoor({ PASSWORD_HASHES_PER_SECOND: '10000', LOG_LEVEL: 'silent' })
    await makePeople(TRIES + WARM_UP)
  })
  after(() => stage.harness.end())

  /** Each with an e-mail of their own, so that no throttle ever bites; they share a password, which matters to nobody. */
  async function makePeople(count: number) {
    const { admin, context } = stage.harness
    const passwordHash = await context.passwords.hash('the right passphrase')
    await admin.query(
      `with users as (
         insert into directory.service_users (wallet_id) select -n from generate_series(1, $1) n
         returning id, -wallet_id as n
       )
       insert into directory.people (service_user_id, first_name, last_name, email, password_hash)
       select id, 'Ada', 'Example', 'person-' || n || '@known.example', $2 from users`,
      [count, passwordHash],
    )
    await admin.query('analyze directory.people')
  }

  async function timeOf(email: string): Promise<number> {
    const { clientId } = stage.app
    const startedMs = performance.now()
    const response = await callPage(stage, logIn, { clientId, email, password: 'a wrong phrase' })
    const tookMs = performance.now() - startedMs
    assert.equal(response.statusCode, 401, response.body)
    return tookMs
  }

  it('is the same for an unknown e-mail and for a wrong password', async (test) => {
    const known: number[] = []
    const unknown: number[] = []
    for (let n = 1; n <= TRIES + WARM_UP; n++) {
      // By turns, and which one goes first is left to chance: whatever the machine does meets both alike.
      const isKnownFirst = Math.random() < 0.5
      for (const isKnown of [isKnownFirst, !isKnownFirst]) {
        const domain = isKnown ? 'known' : 'other'
        const tookMs = await timeOf(`person-${n}@${domain}.example`)
        if (n > WARM_UP) (isKnown ? known : unknown).push(tookMs)
      }
    }
    const t = welch(known, unknown)
    test.diagnostic(
      `t = ${t.toFixed(2)}; wrong password ${show(known)}, unknown e-mail ${show(unknown)}`,
    )
    assert.deepEqual([known.length, unknown.length], [TRIES, TRIES])
    assert(Math.abs(t) < T_MAX, `t = ${t}`)
  })
})

/** Welch's t: the distance of two means in units of its own uncertainty. */
function welch(a: readonly number[], b: readonly number[]): number {
  const uncertainty = Math.sqrt(variance(a) / a.length + variance(b) / b.length)
  return (mean(a) - mean(b)) / uncertainty
}

function mean(samples: readonly number[]): number {
  return samples.reduce((sum, each) => sum + each, 0) / samples.length
}

function variance(samples: readonly number[]): number {
  const middle = mean(samples)
  return samples.reduce((sum, each) => sum + (each - middle) ** 2, 0) / (samples.length - 1)
}

function show(samples: readonly number[]): string {
  return `${mean(samples).toFixed(3)} ms (s = ${Math.sqrt(variance(samples)).toFixed(3)})`
}
