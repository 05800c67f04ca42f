/** Counts what an audit did. */
import type { Check } from './check/check.ts'
import type { Shape } from './clients/journal.ts'
import type { Setup } from './setup/prepare-setup.ts'

export interface Tally {
  /** Recorded requests, and definite responses. */
  requests: number
  definite: number
  /** Responses by status and meaning. */
  responses: Record<string, number>
  pairs: number
  /** In the ledger at the end. */
  operations: number
  refusals: number
  /** Share of the decided debits. */
  refusedDebitShare: number
  topups: { started: number; paid: number }
  disputes: number
  refunds: number
  serviceStarts: number
}

export function tally({ journal, topups, sandbox, services }: Setup, check: Check): Tally {
  const responses: Record<string, number> = {}
  for (let at = 0; at < journal.requestCount; at++) {
    const { shape } = journal.request(at)
    const name = shape.status === 0 ? 'no response' : nameOf(shape)
    responses[name] = (responses[name] ?? 0) + 1
  }
  const debits = { all: 0, refused: 0 }
  for (let pair = 0; pair < journal.pairCount; pair++) {
    const outcome = check.outcomes.get(pair)
    if (outcome?.verb !== 'debit') continue
    debits.all++
    if (outcome.code === 'INSUFFICIENT_BALANCE') debits.refused++
  }
  const { paymentIntents, disputes, refunds } = sandbox.state
  const paid = [...paymentIntents.values()].filter(({ status }) => status === 'succeeded').length
  return {
    requests: journal.requestCount,
    definite: journal.definiteCount,
    responses,
    pairs: journal.pairCount,
    operations: check.operations,
    refusals: check.refusals,
    refusedDebitShare: debits.refused / Math.max(1, debits.all),
    topups: { started: topups.started, paid },
    disputes: disputes.size,
    refunds: refunds.size,
    serviceStarts: services.reduce((sum, { starts }) => sum + starts, 0),
  }
}

function nameOf({ status, code, meaning }: Shape): string {
  // A lookup returns 200 whatever it finds.
  return `${status} ${status === 200 ? meaning : code || meaning}`
}
