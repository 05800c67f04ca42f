import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startSandbox, type RunningSandbox } from '../../sandbox/start-sandbox.ts'
import type { Harness } from '../../server/test/harness.ts'
import { checkAfterwards } from './check-afterwards.ts'
import { digestState, type Digest } from './digest-state.ts'
import { injectRequests, type Attack } from './inject-requests.ts'
import { createJudge } from './judge-response.ts'
import { emptyCounts } from './count-results.ts'
import { listEndpoints } from './list-routes.ts'
import { createFixtures, type Fixtures } from './create-fixtures.ts'
import { sendOverSockets } from './send-over-sockets.ts'
import { startTarget, type Target } from './start-target.ts'
import { watchLog } from './watch-log.ts'

const SEED = 20_261_115
const INJECTED = 5_000
const SOCKETS = 500

describe('hostile input', () => {
  const counts = emptyCounts()
  let sandbox: RunningSandbox
  let harness: Harness
  let fixtures: Fixtures
  let target: Target
  let digest: Digest
  before(async () => {
    sandbox = await startSandbox({ secretKey: 'sk_test_h0stile', webhookSecret: 'whsec_h0stile' })
    const opened = await createFixtures(sandbox)
    harness = opened.harness
    fixtures = opened.fixtures
    target = await startTarget(fixtures.env, watchLog(fixtures, counts))
    digest = await digestState(harness.admin)
  })
  after(async () => {
    await target.stop()
    await harness.end()
    await sandbox.close()
  })

  function attack(count: number): Attack {
    let at = 0
    const next = () => (at < count ? at++ : undefined)
    return { fixtures, seed: SEED, judge: createJudge(fixtures), counts, next }
  }

  it('is refused as the contract specifies, and reveals nothing', async () => {
    await Promise.all([
      injectRequests(harness, attack(INJECTED)),
      sendOverSockets(target.port, attack(SOCKETS)),
    ])
    for (const line of harness.logLines) watchLog(fixtures, counts)(line)
    assert.deepEqual(counts.faults, {})
    assert.deepEqual(counts.requests, { injected: INJECTED, sockets: SOCKETS })
  })

  it('reaches every endpoint, and in each some requests pass the authentication', () => {
    const shallow = new Set([
      '401 LOGIN_REQUIRED',
      '403 ORIGIN_NOT_ALLOWED',
      '404 NOT_FOUND',
      '405 METHOD_NOT_ALLOWED',
    ])
    const unreached = listEndpoints()
      // An accepted request without input would change something, so it is never sent.
      .filter(({ endpoint }) => Object.keys(endpoint?.input.shape ?? {}).length > 0)
      .filter(({ name }) =>
        Object.keys(counts.responses[name] ?? {}).every((response) => shallow.has(response)),
      )
    assert.deepEqual(
      unreached.map(({ name }) => name),
      [],
    )
  })

  it('changes nothing, and the service works afterwards', async () => {
    const afterwards = await checkAfterwards({ harness, before: digest, port: target.port })
    assert.deepEqual(afterwards, {
      changes: [],
      tables: Object.keys(digest).length,
      debitStatus: 200,
      fault: undefined,
    })
  })
})
