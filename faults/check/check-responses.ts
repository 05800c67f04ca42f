/** Compares every response with the ledger's outcome for its pair, and with the other responses for that pair. */
import type { Findings } from './findings.ts'
import type { Journal, JournaledRequest } from '../clients/journal.ts'
import { hasTarget } from '../clients/verbs.ts'
import type { LedgerOutcome, Outcomes } from './outcomes.ts'

export function checkResponses(journal: Journal, outcomes: Outcomes, findings: Findings) {
  /** For each pair the first definite response found, and whether one of them was not a replay. */
  const first = new Uint32Array(journal.pairCount)
  const hasOriginal = new Uint8Array(journal.pairCount)
  const transactions = new Uint32Array(journal.pairCount)
  for (let at = 0; at < journal.requestCount; at++) {
    const request = journal.request(at)
    const { pair, verb, shape } = request
    checkStatus(journal, request, findings)
    if (pair === undefined) continue
    if (request.transaction > 0) {
      transactions[pair] ||= request.transaction
      if (transactions[pair] !== request.transaction)
        findings.add(3, `${nameOf(journal, request)}: two responses have different transaction ids`)
    }
    if (verb === 'lookup') {
      checkLookUp(journal, request, outcomes.get(pair), findings)
      continue
    }
    if (shape.meaning !== 'posted' && shape.meaning !== 'refused') continue
    checkOutcome(journal, request, outcomes.get(pair), findings)
    const earlier = first[pair] ? journal.request(first[pair] - 1) : undefined
    if (earlier === undefined) first[pair] = at + 1
    else if (
      earlier.shape !== shape ||
      earlier.balanceMinor !== request.balanceMinor ||
      (verb === 'refund' && earlier.seq !== request.seq)
    ) {
      findings.add(3, `${nameOf(journal, request)}: ${show(earlier)}, and then ${show(request)}`)
    }
    if (request.isReplayed) continue
    if (hasOriginal[pair])
      findings.add(3, `${nameOf(journal, request)}: two responses claim to be the original`)
    hasOriginal[pair] = 1
  }
  for (let pair = 0; pair < journal.pairCount; pair++) {
    if (!(journal.firstSentMs(pair) < Infinity) || journal.firstRespondedMs(pair) < Infinity)
      continue
    const { app, referenceId } = journal.pair(pair)
    findings.add(12, `${referenceId} of app ${app}: no definite response in the end`)
  }
}

function checkStatus(journal: Journal, request: JournaledRequest, findings: Findings) {
  const { pair, shape } = request
  const isFailing = pair !== undefined && journal.pair(pair).referenceType === 'FAILING'
  if (shape.meaning === 'wrong' || (shape.meaning === 'failed' && !isFailing)) {
    findings.add(12, `${request.verb}: ${shape.status} ${shape.text}`)
  }
}

function checkOutcome(
  journal: Journal,
  request: JournaledRequest,
  outcome: LedgerOutcome | undefined,
  findings: Findings,
) {
  const name = nameOf(journal, request)
  const { shape, balanceMinor } = request
  if (outcome === undefined || (outcome.code !== '' && shape.meaning === 'posted')) {
    const [invariant, said] =
      shape.meaning === 'posted' ? ([1, '200'] as const) : ([6, shape.code] as const)
    findings.add(invariant, `${name} got ${said}, but the ledger has no such outcome`)
    return
  }
  if (shape.code !== outcome.code) {
    findings.add(
      6,
      `${name} got ${shape.code || 200}, but the ledger has ${outcome.code || 'an operation'}`,
    )
    return
  }
  if (shape.meaning === 'posted' && balanceMinor !== outcome.balanceAfter) {
    findings.add(
      6,
      `${name} got the balance ${balanceMinor}, its operation left ${outcome.balanceAfter}`,
    )
  }
  const differs = differencesOf(request, outcome)
  if (differs.join() === request.differs.join()) return
  const invariant = shape.meaning === 'posted' && request.differs.length === 0 ? 1 : 6
  findings.add(
    invariant,
    `${name} differs in [${differs.join()}] from the executed request, but the response says [${request.differs.join()}]`,
  )
}

/** In the order of the Idempotency-Mismatch header. */
function differencesOf(request: JournaledRequest, outcome: LedgerOutcome): string[] {
  const differs: string[] = []
  // A release has no amount.
  const hasAmount = outcome.verb !== 'release'
  if (hasAmount && request.amountMinor !== outcome.amountMinor) differs.push('amount')
  const namesUser = !hasTarget(request.verb)
  if (namesUser && request.wallet !== outcome.wallet) differs.push('serviceUserId')
  if (request.verb !== outcome.verb) differs.push('direction')
  return differs
}

function checkLookUp(
  journal: Journal,
  request: JournaledRequest,
  outcome: LedgerOutcome | undefined,
  findings: Findings,
) {
  const { pair, shape, balanceMinor, sentMs } = request
  const name = nameOf(journal, request)
  if (shape.meaning === 'undecided') {
    const isLate = pair !== undefined && journal.firstRespondedMs(pair) < sentMs
    if (isLate) findings.add(7, `${name} found nothing after the pair had a response`)
  }
  if (
    shape.meaning === 'posted' &&
    (outcome?.code !== '' || outcome.balanceAfter !== balanceMinor)
  ) {
    findings.add(
      outcome?.code === '' ? 6 : 1,
      `${name} found it posted with ${balanceMinor}, unlike the ledger`,
    )
  }
  if (shape.meaning === 'refused' && outcome?.code !== shape.code) {
    findings.add(6, `${name} found ${shape.code}, unlike the ledger`)
  }
}

function nameOf(journal: Journal, { verb, pair = -1 }: JournaledRequest): string {
  const { app, referenceId } = journal.pair(pair)
  return `${verb} ${referenceId} of app ${app}`
}

function show({ shape, balanceMinor }: JournaledRequest): string {
  return `${shape.status} ${shape.text} ${balanceMinor < 0 ? '' : balanceMinor}`
}
