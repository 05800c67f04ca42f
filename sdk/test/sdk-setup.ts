/** The real service on a real socket, behind a proxy that can fail. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestApp } from '../../server/test/factories.ts'
import { addShop, openSetup, type Setup } from '../../server/test/setup.ts'
import {
  createCoffer,
  type Coffer,
  type CofferOptions,
  type OperationInput,
  type Reference,
} from '../coffer.ts'
import { ERROR_CLASSES, isCofferError, type CofferErrorCode } from '../errors.ts'
import { startFaultyProxy, type Fault, type FaultyProxy } from './faulty-proxy.ts'

/** A new client app with a user who has 100.00, and a debit of 10.00 that it can send. */
export interface SdkShop extends Setup {
  coffer: Coffer
  serviceUserId: string
  reference: Reference
  input: OperationInput
}

export interface SdkSetup extends Setup {
  proxy: FaultyProxy
  as(app: Pick<TestApp, 'clientId' | 'clientSecret'>, options?: Partial<CofferOptions>): Coffer
  addShop(options?: Partial<CofferOptions>): Promise<SdkShop>
  end(): Promise<void>
}

export async function openSdkSetup(): Promise<SdkSetup> {
  const setup = await openSetup()
  const { harness } = setup
  const proxy = await startFaultyProxy(await harness.app.listen({ port: 0, host: '127.0.0.1' }))
  const as: SdkSetup['as'] = ({ clientId, clientSecret }, options) =>
    createCoffer({ serviceUrl: proxy.url, clientId, clientSecret, ...options })
  return {
    ...setup,
    proxy,
    as,
    async addShop(options) {
      const shop = await addShop(harness)
      const { serviceUserId } = shop.user
      const reference = newReference()
      const input = { serviceUserId, amount: 10, ...reference }
      return { ...shop, coffer: as(shop.app, options), serviceUserId, reference, input }
    },
    async end() {
      await proxy.stop()
      await harness.end()
    },
  }
}

export function newReference() {
  return { referenceType: 'ORDER_PAYMENT', referenceId: randomUUID() }
}

/** A response as the service sends it. */
export function response(
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Fault {
  return { status, headers, body: JSON.stringify(body) }
}

/** Expects an error with this code and returns it. */
export async function thrownBy<Code extends CofferErrorCode>(
  promise: Promise<unknown>,
  code: Code,
) {
  const error = await promise.then(
    () => assert.fail('it succeeded'),
    (thrown: unknown) => thrown,
  )
  assert(isCofferError(error, code), String(error))
  assert(error instanceof ERROR_CLASSES[code])
  assert.equal(error.name, ERROR_CLASSES[code].name)
  assert(error.docsUrl.endsWith(`/docs/errors/${code}`))
  return error
}

export async function countOperations({ harness }: Setup, referenceId: string): Promise<number> {
  const { rows } = await harness.admin.query<{ count: number }>(
    'select count(*)::int as count from ledger.operations where reference_id = $1',
    [referenceId],
  )
  return rows[0]?.count ?? NaN
}
