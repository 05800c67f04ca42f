import * as endpoints from '@coffer/contract/server/wallet'
import { batch } from '@coffer/contract/server/batch'
import { type Endpoint, SECRET_SCOPES, type SecretScope } from '@coffer/contract/endpoint'
import { readEvents } from '@coffer/contract/server/events'
import { capture, hold, listHolds, release } from '@coffer/contract/server/holds'
import { restriction as shape } from '@coffer/contract/restriction'
import { SERVER_ENDPOINTS } from '@coffer/contract/server/wallet'
import { WEBHOOK_ENDPOINTS } from '@coffer/contract/server/webhooks'
import { createSession } from '@coffer/contract/widget/widget'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../config.ts'
import { ownWebhookFields } from '../test/events/own-webhook-fields.ts'
import { makeIdleWebhook } from '../test/events/webhook-setup.ts'
import { createProof, makeSecret } from '../test/factories.ts'
import { TEST_PEPPER, testEnv } from '../test/harness.ts'
import { assertRefusal, call, type Fields, addShop, openSetup, type Setup } from '../test/setup.ts'
import { authenticateClient } from './authenticate-client.ts'
import { createNetworkCheck } from './restriction.ts'

/** Longer than a process remembers an app. */
const KNOWN_MS = 400
const LISTED = ['203.0.113.0/24', '198.51.100.7/32', '2001:db8:1::/48']

let setup: Setup
before(async () => {
  setup = await openSetup({ TRUST_PROXY: '10.0.0.0/8', APP_REQUESTS_PER_SECOND: '100000' })
})
after(() => setup.harness.end())

const pair = () => ({ referenceType: 'ORDER', referenceId: randomUUID() })

async function withSecret(shop: Setup, scopes: readonly SecretScope[], networks?: string[]) {
  const clientSecret = await makeSecret(shop.harness.context, shop.app, scopes, networks)
  await sleep(KNOWN_MS)
  return { ...shop, app: { ...shop.app, clientSecret } }
}

function operationOf({ user }: Setup): Fields {
  return { serviceUserId: user.serviceUserId, amount: 1, ...pair() }
}

describe('a restricted secret', () => {
  /** What each scope allows; everything else is refused. */
  const ALLOWED: Record<SecretScope, readonly Endpoint[]> = {
    'wallet:read': [
      endpoints.readWallet,
      endpoints.checkBalance,
      endpoints.findOperation,
      endpoints.listOwnOperations,
      endpoints.exportOperations,
      readEvents,
      listHolds,
    ],
    'wallet:debit': [endpoints.debit, batch],
    'wallet:credit': [endpoints.credit, batch],
    'wallet:refund': [endpoints.refund, batch],
    'wallet:hold': [hold, capture, release, batch],
    'webhooks:manage': Object.values(WEBHOOK_ENDPOINTS),
  }

  for (const scope of SECRET_SCOPES) {
    it(`with ${scope} allows exactly its calls`, async () => {
      const shop = await addShop(setup.harness)
      const paid = pair()
      const { serviceUserId } = shop.user
      await call(shop, endpoints.debit, { serviceUserId, amount: 5, ...paid })
      const held = pair()
      await call(shop, hold, { serviceUserId, amount: 5, ...held })
      const { webhookId } = await makeIdleWebhook(shop.harness, shop.app)
      const restricted = await withSecret(shop, [scope])
      const fields: Record<keyof typeof SERVER_ENDPOINTS, Fields> = {
        readWallet: { serviceUserId },
        checkBalance: { serviceUserId, requiredAmount: 1 },
        debit: operationOf(shop),
        credit: operationOf(shop),
        refund: { debit: paid, amount: 1, ...pair() },
        batch: {
          operations: [{ type: scope.replace('wallet:', ''), debit: paid, ...operationOf(shop) }],
        },
        findOperation: paid,
        listOwnOperations: {},
        exportOperations: { month: '2026-01' },
        readEvents: {},
        hold: operationOf(shop),
        capture: { hold: held, amount: 1, isFinal: false, ...pair() },
        release: { hold: held, ...pair() },
        listHolds: {},
        exchangeLinkCode: { linkCode: 'lc_unknown', verifier: createProof().verifier },
        ...ownWebhookFields(webhookId),
      }
      for (const [name, endpoint] of Object.entries(SERVER_ENDPOINTS)) {
        const response = await call(restricted, endpoint, fields[name as keyof typeof fields])
        if (!(ALLOWED[scope] as Endpoint[]).includes(endpoint)) {
          assertRefusal(response, endpoint, 'SECRET_RESTRICTED')
          continue
        }
        assert.equal(response.statusCode, 200, `${name}: ${response.body}`)
        if (endpoint === batch) assert.equal(response.json().results[0].status, 200, response.body)
      }
      assertRefusal(
        await call(restricted, createSession, { serviceUserId }),
        createSession,
        'SECRET_RESTRICTED',
      )
    })
  }

  it('allows in a batch what it allows alone, and refuses the rest one by one', async () => {
    const shop = await withSecret(await addShop(setup.harness), ['wallet:refund', 'wallet:credit'])
    const operations = ['debit', 'credit', 'debit'].map((type) => ({ type, ...operationOf(shop) }))
    const { results } = (await call(shop, batch, { operations })).json()
    const codes = results.map(({ status, code }: Fields) => [status, code])
    const refused = [403, 'SECRET_RESTRICTED']
    assert.deepEqual(codes, [refused, [200, undefined], refused])
  })

  it('never allows more than the scopes of its app', async () => {
    const shop = await withSecret(await addShop(setup.harness), SECRET_SCOPES)
    await setup.harness.admin.query(
      `update directory.client_apps set scopes = '{wallet:read}' where client_id = $1`,
      [shop.app.clientId],
    )
    await sleep(KNOWN_MS)
    const response = await call(shop, endpoints.debit, operationOf(shop))
    assertRefusal(response, endpoints.debit, 'INSUFFICIENT_SCOPE')
  })

  it('is refused if its restriction is changed or removed in the database', async () => {
    const shop = await withSecret(await addShop(setup.harness), ['wallet:read'])
    const lifted = [`'{"name":"x","scopes":["wallet:read","wallet:debit"],"networks":[]}'`, 'null']
    for (const restriction of lifted) {
      await setup.harness.admin.query(
        `update directory.client_secrets set restriction = ${restriction}
         where client_app_id = $1 and id = (select max(id) from directory.client_secrets where client_app_id = $1)`,
        [shop.app.id],
      )
      await sleep(KNOWN_MS)
      const response = await call(shop, endpoints.listOwnOperations, {})
      assertRefusal(response, endpoints.listOwnOperations, 'INVALID_CLIENT')
    }
  })

  it('keeps its restriction when its hash is renewed with a new pepper', async () => {
    const shop = await withSecret(await addShop(setup.harness), ['wallet:read'])
    const fresh = `new:${Buffer.alloc(32, 9).toString('base64')}`
    const env = { ...testEnv(setup.harness.databaseUrl), SECRET_PEPPERS: `${fresh},${TEST_PEPPER}` }
    const { clientApps } = setup.harness.context
    const { peppers } = readConfig(env)
    const hashes: { hmac: Buffer; pepperId: string }[] = []
    const recording = {
      find: (clientId: string) => clientApps.find(clientId),
      recordUse: () => undefined,
      recordHash: (renewed: (typeof hashes)[number]) => hashes.push(renewed),
      close: () => undefined,
    }
    await authenticateClient(recording, peppers, shop.app)
    const [renewed] = hashes
    await setup.harness.admin.query(
      `update directory.client_secrets set hmac = $2, pepper_id = $3, renewed_from = pepper_id
       where client_app_id = $1 and restriction is not null`,
      [shop.app.id, renewed?.hmac, renewed?.pepperId],
    )
    await sleep(KNOWN_MS)
    const { restriction } = await authenticateClient(clientApps, peppers, shop.app)
    assert.deepEqual(restriction?.scopes, ['wallet:read'])
  })
})

describe('the networks of a restricted secret', () => {
  const from = async (shop: Setup, remoteAddress: string, forwarded?: string) => {
    const { clientId, clientSecret } = shop.app
    const response = await setup.harness.inject({
      method: 'GET',
      url: `/api/server/operations/list?${new URLSearchParams({ clientId, clientSecret })}`,
      remoteAddress,
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    })
    return response.statusCode === 200 ? 'allowed' : response.json<{ code: string }>().code
  }

  it('are checked with the address that the trusted proxy reports, and no other', async () => {
    const shop = await withSecret(await addShop(setup.harness), ['wallet:read'], LISTED)
    const cases: [address: string, forwarded: string | undefined, expected: string][] = [
      ['203.0.113.9', undefined, 'allowed'],
      ['203.0.114.9', undefined, 'NETWORK_NOT_ALLOWED'],
      ['2001:db8:1:7::1', undefined, 'allowed'],
      ['2001:db8:2::1', undefined, 'NETWORK_NOT_ALLOWED'],
      ['::ffff:203.0.113.9', undefined, 'allowed'],
      ['10.0.0.1', '203.0.113.9', 'allowed'],
      ['10.0.0.1', '198.51.100.8', 'NETWORK_NOT_ALLOWED'],
      // A client behind the proxy writes a listed address in front of its own.
      ['10.0.0.1', '203.0.113.9, 198.51.100.8', 'NETWORK_NOT_ALLOWED'],
      // Nobody trusts this proxy.
      ['192.0.2.1', '203.0.113.9', 'NETWORK_NOT_ALLOWED'],
      ['10.0.0.1', 'not an address', 'NETWORK_NOT_ALLOWED'],
    ]
    for (const [address, forwarded, expected] of cases) {
      assert.equal(await from(shop, address, forwarded), expected, `${address} ${forwarded}`)
    }
  })

  it('match IPv4, IPv6, mapped and link-local addresses, and nothing that is not an address', () => {
    const isListed = createNetworkCheck([...LISTED, 'fe80::/10'])
    const listed = ['198.51.100.7', '::ffff:c633:6407', '2001:DB8:1::', 'fe80::1%eth0']
    const others = ['198.51.100.6', '::ffff:c633:6406', '2001:db8:2::', '', 'localhost', '1']
    assert.deepEqual([...listed, ...others].filter(isListed), listed)
    assert.ok(createNetworkCheck([])('192.0.2.1'))
  })

  it('must be networks with a prefix', () => {
    const parse = (network: string) =>
      shape.safeParse({ name: 'a', scopes: ['wallet:read'], networks: [network] }).success
    const right = [...LISTED, '10.0.0.0/10', '203.0.112.0/20', '203.0.113.4/30', 'fe80::/10']
    for (const network of right) assert.ok(parse(network), network)
    const wrong = '203.0.113.9 203.0.113.0/33 0.0.0.0/0 ::/0 300.1.1.1/8 x/8 1/8'.split(' ')
    for (const network of wrong) assert.ok(!parse(network), network)
  })
})
