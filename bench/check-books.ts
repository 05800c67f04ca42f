/** Checks that the figures are correct: every response has its operation, and the books are correct. */
import pg from 'pg'
import { clientConfig } from '../server/database/connect.ts'
import { verify } from '../server/ledger/verify/verify.ts'
import { countOperations } from './fill.ts'
import type { ServiceRun } from './run-service.ts'

export interface BooksReport {
  /** Operations whose response was not counted. */
  unseen: number
  unseenMax: number
  operations: number
  faults: string[]
}

/**
 * wrk stops with requests in flight, at most one per connection and run: their operations may be executed without being
 * counted. Call this after the service has stopped, so that these requests have finished.
 */
export async function checkBooks(
  url: string,
  operationsBefore: number,
  debits: readonly ServiceRun[],
  options: { walk: boolean } = { walk: true },
): Promise<BooksReport> {
  const operations = await countOperations(url)
  const counted = debits.reduce((sum, each) => sum + each.ok, 0)
  const unseenMax = debits.reduce((sum, each) => sum + each.inFlight, 0)
  const unseen = operations - operationsBefore - counted
  const faults: string[] = []
  if (unseen < 0) faults.push(`${-unseen} responses have no operation in the ledger`)
  if (unseen > unseenMax) {
    faults.push(`${unseen} operations without a response, more than the ${unseenMax} in flight`)
  }
  if (options.walk) faults.push(...(await walkBooks(url, operations)))
  return { unseen, unseenMax, operations, faults }
}

async function walkBooks(url: string, operations: number): Promise<string[]> {
  const client = new pg.Client(clientConfig(url))
  await client.connect()
  try {
    const report = await verify(client, {})
    if (report.fault !== undefined) return [report.fault]
    if (report.operations === operations) return []
    return [`the verifier checked ${report.operations} of ${operations} operations`]
  } finally {
    await client.end()
  }
}
