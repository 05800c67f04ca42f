import { deleteAccount } from '@coffer/contract/account/account'
import type { Endpoint } from '@coffer/contract/endpoint'
import { readEvents } from '@coffer/contract/server/events'
import { debit, readWallet } from '@coffer/contract/server/wallet'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ServiceError } from '../service-error.ts'
import { withDeadline } from './read-input.ts'

describe('the deadline of a request', () => {
  it('is 7.5 s, or longer if the endpoint needs longer', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const ended: [string, string][] = []
    const wait = (endpoint: Endpoint) =>
      withDeadline(endpoint, new Promise(() => undefined)).catch((error: unknown) => {
        assert(error instanceof ServiceError)
        ended.push([endpoint.path, error.code])
      })
    const all = Promise.all([debit, readWallet, deleteAccount, readEvents].map(wait))
    const pass = async (ms: number) => {
      t.mock.timers.tick(ms)
      await new Promise(setImmediate)
      return ended.splice(0)
    }
    assert.deepEqual(await pass(7_499), [])
    assert.deepEqual(await pass(1), [
      [debit.path, 'OUTCOME_UNKNOWN'],
      [readWallet.path, 'SERVICE_UNAVAILABLE'],
    ])
    // The deletion continues, so the person must not read that nothing was changed.
    assert.deepEqual(await pass(6_499), [])
    assert.deepEqual(await pass(1), [[deleteAccount.path, 'OUTCOME_UNKNOWN']])
    assert.deepEqual(await pass(60_000), [[readEvents.path, 'SERVICE_UNAVAILABLE']])
    await all
  })
})
