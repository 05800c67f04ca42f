import { ACCOUNT_ENDPOINTS } from '@coffer/contract/account/account'
import { ADMIN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import type { Endpoint } from '@coffer/contract/endpoint'
import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { createAccountCall } from './account/calls.ts'
import { createCalls } from './admin/calls.ts'
import { scriptService } from './test/script-responses.ts'

afterEach(() => mock.restoreAll())

type Call = (endpoint: string) => Promise<unknown>

const accountCall = createAccountCall({ expired: mock.fn() })
const { call: adminCall } = createCalls({ expired: mock.fn(), confirm: async () => true })
const AREAS: [string, Record<string, Endpoint>, Call][] = [
  ['account page', ACCOUNT_ENDPOINTS, accountCall as Call],
  ['admin area', ADMIN_ENDPOINTS, adminCall as Call],
]

for (const [area, endpoints, call] of AREAS) {
  describe(`the ${area} waits longer for a response than the server works on it:`, () => {
    for (const { method, path, deadlineMs } of Object.values(endpoints)) {
      if (deadlineMs === undefined) continue
      it(path, async () => {
        const requests = scriptService({ status: 200, body: {} })
        const timeout = mock.method(AbortSignal, 'timeout')
        await call(`${method} ${path}`)
        assert.deepEqual(
          requests.map(({ url }) => url),
          [path],
        )
        const [waitMs = 0] = timeout.mock.calls[0]?.arguments ?? []
        assert(waitMs >= deadlineMs + 2_000, `it waits for ${waitMs} ms`)
      })
    }
  })
}
