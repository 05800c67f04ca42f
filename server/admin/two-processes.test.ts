/** A change of a client app by an operator takes effect on every process within a second. */
import * as clientAppsEndpoints from '@coffer/contract/admin/client-apps'
import { approveGrant } from '@coffer/contract/admin/grants'
import type { AdminEndpoint } from '@coffer/contract/admin/endpoint'
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, it } from 'node:test'
import { createSession } from '../widget/create-session.ts'
import { askAs, openAdminSetup, type AdminSetup } from '../test/admin-setup.ts'
import { closeConnections, post } from '../test/client.ts'
import { makeClientApp, makeLinkedUser, type TestApp } from '../test/factories.ts'
import { spawnService, type ServiceProcess } from '../test/harness.ts'

const PARENT = 'https://shop.example'

let setup: AdminSetup
let processes: ServiceProcess[]
let reference = 0

before(async () => {
  setup = await openAdminSetup()
  const { databaseUrl } = setup.harness
  processes = [await spawnService(databaseUrl), await spawnService(databaseUrl)]
})
after(async () => {
  closeConnections()
  await Promise.all(processes.map((each) => each.kill('SIGINT')))
  await setup.harness.end()
})

async function debit(
  url: string,
  { clientId }: Pick<TestApp, 'clientId'>,
  clientSecret: string,
  serviceUserId: string,
): Promise<number> {
  const pair = { referenceType: 'ORDER', referenceId: `r-${++reference}` }
  const body = { clientId, clientSecret, serviceUserId, amount: 0.01, ...pair }
  return (await post(url, '/api/server/wallet/debit', body)).status
}

/** Repeats the request on every process until the response is as expected, which must happen within a second. */
async function withinASecond(ask: (url: string) => Promise<boolean>) {
  const untilMs = performance.now() + 1_000
  for (const { url } of processes) {
    for (;;) {
      const askedMs = performance.now()
      if (await ask(url)) break
      assert(askedMs < untilMs, 'it took more than a second')
    }
  }
}

async function operate(endpoint: AdminEndpoint, fields: object) {
  const response = await askAs(setup, setup.operator, endpoint, { ...fields })
  assert.equal(response.statusCode, 200, response.body)
  return response.json<{ clientSecret: string }>()
}

async function openShop() {
  const { context } = setup.harness
  const parents = { allowedIframeParents: [PARENT], sharesParents: true }
  const app = await makeClientApp(context, { name: 'Shop', ...parents })
  const user = await makeLinkedUser(context, app, 1_000_00n)
  return { app, user }
}

describe('two processes on one database', () => {
  it('reject requests, sessions and frames of an inactive app, and accept them again after activation', async () => {
    const { app, user } = await openShop()
    const { clientId, clientSecret } = app
    const { context } = setup.harness
    const clientApp = await context.clientApps.find(clientId)
    assert(clientApp)
    const { sessionToken } = await createSession(context, clientApp, user)
    const status = async (url: string, path: string) => (await fetch(new URL(path, url))).status
    const isServed = {
      call: async (url: string) =>
        (await debit(url, app, clientSecret, user.serviceUserId)) === 200,
      session: async (url: string) =>
        (await status(url, `/api/widget/wallet?session=${sessionToken}`)) === 200,
      frame: async (url: string) => {
        const page = await fetch(new URL(`/widget/wallet?clientId=${clientId}`, url))
        const policy = page.headers.get('content-security-policy') ?? ''
        return policy.includes(`frame-ancestors ${PARENT}`)
      },
    }
    for (const ask of Object.values(isServed)) await withinASecond(ask)
    await operate(clientAppsEndpoints.activateClientApp, { clientId, isActive: false })
    await Promise.all(
      Object.values(isServed).map((ask) => withinASecond(async (url) => !(await ask(url)))),
    )
    await operate(clientAppsEndpoints.activateClientApp, { clientId, isActive: true })
    await Promise.all(Object.values(isServed).map((ask) => withinASecond(ask)))
  })

  it('accept the old and the new secret during a rotation with an overlap, under load', async () => {
    const { app, user } = await openShop()
    let secret = app.clientSecret
    const over = new AbortController()
    const statuses: number[] = []
    async function load(lane: number) {
      const { url } = processes[lane % 2] as ServiceProcess
      while (!over.signal.aborted) statuses.push(await debit(url, app, secret, user.serviceUserId))
    }
    const lanes = Array.from({ length: 8 }, (_, lane) => load(lane))
    const { clientId } = app
    const rotation = { clientId, overlap: '1h' }
    // The app is in use, so a second operator approves the rotation first.
    await operate(clientAppsEndpoints.rotateClientSecret, rotation)
    const { rows } = await setup.harness.admin.query<{ id: string }>(
      'select id from admin.grants where client_app_id = $1',
      [app.id],
    )
    const approved = await askAs(setup, setup.owner, approveGrant, { id: rows[0]?.id })
    assert.equal(approved.statusCode, 200, approved.body)
    const rotated = await operate(clientAppsEndpoints.rotateClientSecret, rotation)
    const withOld = statuses.length
    secret = rotated.clientSecret
    while (statuses.length < withOld + 40) await sleep(20)
    over.abort()
    await Promise.all(lanes)
    assert(withOld > 20)
    assert.deepEqual([...new Set(statuses)], [200])
  })

  it('both reject a revoked secret', async () => {
    const { app, user } = await openShop()
    const { clientId, clientSecret } = app
    const isAccepted = async (url: string) =>
      (await debit(url, app, clientSecret, user.serviceUserId)) === 200
    await withinASecond(isAccepted)
    const read = await askAs(setup, setup.viewer, clientAppsEndpoints.readClientApp, { clientId })
    const [secret] = read.json<{ secrets: { id: string }[] }>().secrets
    await operate(clientAppsEndpoints.revokeClientSecret, { clientId, secretId: secret?.id })
    await withinASecond(async (url) => !(await isAccepted(url)))
  })
})
