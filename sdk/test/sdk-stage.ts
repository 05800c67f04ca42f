/** The real service on a real socket, with a line to it that can be made to fail. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { TestApp } from '../../server/test/factories.ts'
import { furnish, openStage, type Stage } from '../../server/test/setup.ts'
import {
  createCoffer,
  type Coffer,
  type CofferOptions,
  type OperationInput,
  type Reference,
} from '../coffer.ts'
import { ERROR_CLASSES, isCofferError, type CofferErrorCode } from '../errors.ts'
import { startFaultyLine, type Fault, type FaultyLine } from './faulty-line.ts'

/** A client app of its own with a user who has 100.00, and a debit of 10.00 that it may send. */
export interface Visit extends Stage {
  coffer: Coffer
  serviceUserId: string
  reference: Reference
  input: OperationInput
}

export interface SdkStage extends Stage {
  line: FaultyLine
  as(app: Pick<TestApp, 'clientId' | 'clientSecret'>, options?: Partial<CofferOptions>): Coffer
  visit(options?: Partial<CofferOptions>): Promise<Visit>
  end(): Promise<void>
}

export async function openSdkStage(): Promise<SdkStage> {
  const stage = await openStage()
  const { harness } = stage
  const line = await startFaultyLine(await harness.app.listen({ port: 0, host: '127.0.0.1' }))
  const as: SdkStage['as'] = ({ clientId, clientSecret }, options) =>
    createCoffer({ serviceUrl: line.url, clientId, clientSecret, ...options })
  return {
    ...stage,
    line,
    as,
    async visit(options) {
      const there = await furnish(harness)
      const { serviceUserId } = there.user
      const reference = newReference()
      const input = { serviceUserId, amount: 10, ...reference }
      return { ...there, coffer: as(there.app, options), serviceUserId, reference, input }
    },
    async end() {
      await line.stop()
      await harness.end()
    },
  }
}

export function newReference() {
  return { referenceType: 'ORDER_PAYMENT', referenceId: randomUUID() }
}

/** An answer as the service gives it. */
export function answer(status: number, body: object, headers: Record<string, string> = {}): Fault {
  return { status, headers, body: JSON.stringify(body) }
}

/** Demands that it throws the error of this code, and hands it over. */
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

export async function countOperations({ harness }: Stage, referenceId: string): Promise<number> {
  const { rows } = await harness.admin.query<{ count: number }>(
    'select count(*)::int as count from ledger.operations where reference_id = $1',
    [referenceId],
  )
  return rows[0]?.count ?? NaN
}
