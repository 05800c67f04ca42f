/** The duration of a login does not reveal whether an email has an account. */
import { logIn } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { callPage, openSignIn } from '../test/sign-in.ts'
import type { Setup } from '../test/setup.ts'

const TRIES = 1_000
const WARM_UP = 25
/** The usual threshold for timing leaks: exceeded by chance less than once in 100 000 runs. */
const T_MAX = 4.5

describe('the duration of a login', () => {
  let setup: Setup
  before(async () => {
    setup = await openSignIn({ PASSWORD_HASHES_PER_SECOND: '10000', LOG_LEVEL: 'silent' })
    await makePeople(TRIES + WARM_UP)
  })
  after(() => setup.harness.end())

  /** Different emails, so that no rate limit applies; the shared password does not affect the measurement. */
  async function makePeople(count: number) {
    const { admin, context } = setup.harness
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
    const { clientId } = setup.app
    const startedMs = performance.now()
    const response = await callPage(setup, logIn, { clientId, email, password: 'a wrong phrase' })
    const tookMs = performance.now() - startedMs
    assert.equal(response.statusCode, 401, response.body)
    return tookMs
  }

  it('is the same for an unknown email and for a wrong password', async (test) => {
    const known: number[] = []
    const unknown: number[] = []
    for (let n = 1; n <= TRIES + WARM_UP; n++) {
      // Alternates in random order, so that disturbances affect both equally.
      const isKnownFirst = Math.random() < 0.5
      for (const isKnown of [isKnownFirst, !isKnownFirst]) {
        const domain = isKnown ? 'known' : 'other'
        const tookMs = await timeOf(`person-${n}@${domain}.example`)
        if (n > WARM_UP) (isKnown ? known : unknown).push(tookMs)
      }
    }
    const t = welch(known, unknown)
    test.diagnostic(
      `t = ${t.toFixed(2)}; wrong password ${show(known)}, unknown email ${show(unknown)}`,
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
