import { ACCOUNT_ENDPOINTS } from '@coffer/contract/account/account'
import { ADMIN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import type { Endpoint } from '@coffer/contract/endpoint'
import assert from 'node:assert/strict'
import { afterEach, describe, it, mock } from 'node:test'
import { createCalls as createAccountCalls } from './account/calls.ts'
import { createCalls as createAdminCalls } from './admin/calls.ts'
import { scriptService } from './test/script-responses.ts'

afterEach(() => mock.restoreAll())

const AREAS: [string, Record<string, Endpoint>, () => object][] = [
  ['account page', ACCOUNT_ENDPOINTS, () => createAccountCalls({ expired: mock.fn() })],
  [
    'admin area',
    ADMIN_ENDPOINTS,
    () => createAdminCalls({ expired: mock.fn(), confirm: async () => true }),
  ],
]

for (const [area, endpoints, createCalls] of AREAS) {
  describe(`the ${area} waits longer for a response than the server works on it:`, () => {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const { deadlineMs, path } = endpoint
      if (deadlineMs === undefined) continue
      it(path, async () => {
        const requests = scriptService({ status: 200, body: {} })
        const timeout = mock.method(AbortSignal, 'timeout')
        const calls = createCalls() as Record<string, (input: object) => Promise<unknown>>
        await calls[name]?.({})
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
