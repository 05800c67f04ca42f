/** Calls of a client app to the service. The journal records each request before it is sent and each response. */
import { NoResponse } from './send-request.ts'
import type { Request } from './journal.ts'
import type { App } from '../setup/create-accounts.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import type { Meaning } from './classify-response.ts'
import type { MoveVerb } from './verbs.ts'
import { separateResults } from './separate-results.ts'

/** The timeout that callers of the service are advised to use; some clients use a shorter one. */
export const TIMEOUT_MS = 10_000

/** Stored with the operation; only the app that wrote it may see it. */
const DESCRIPTION = 'for the audit'
/** The requests with these references have metadata, which contains the reference. */
export const METADATA_OF = /7$/

export type Move = Request & { pair: number; verb: MoveVerb }

/** Something that moves money, new or repeated. */
export async function move(setup: Setup, request: Move, timeoutMs = TIMEOUT_MS): Promise<Meaning> {
  const { apps, journal, caller } = setup
  const { clientId, clientSecret } = apps[request.app] as App
  const body = JSON.stringify({ clientId, clientSecret, ...fieldsOf(setup, request) })
  const path = `/api/server/wallet/${request.verb}`
  const at = journal.send(request)
  try {
    const response = await caller.send({ method: 'POST', path, body, timeoutMs })
    return journal.receive(at, response)
  } catch (error) {
    return unknownIfNoResponse(error)
  }
}

/** Operations of one app in one request. The journal records each as if it had been sent alone. */
export async function moveTogether(setup: Setup, requests: readonly Move[]): Promise<Meaning[]> {
  const { apps, journal, caller } = setup
  const { clientId, clientSecret } = apps[requests[0]?.app ?? 0] as App
  const operations = requests.map((each) => ({ type: each.verb, ...fieldsOf(setup, each) }))
  const body = JSON.stringify({ clientId, clientSecret, operations })
  const path = '/api/server/wallet/batch'
  const sent = requests.map((request) => journal.send(request))
  try {
    const response = await caller.send({ method: 'POST', path, body, timeoutMs: TIMEOUT_MS })
    const results = separateResults(response, requests.length)
    return results.map((result, index) => journal.receive(sent[index] ?? NaN, result))
  } catch (error) {
    const meaning = unknownIfNoResponse(error)
    return requests.map(() => meaning)
  }
}

/** Repeats must be equal, so the pair decides whether a capture is final. */
function fieldsOf({ apps, journal }: Setup, { app, verb, wallet, amountMinor, pair }: Move) {
  const { referenceType, referenceId, target } = journal.pair(pair)
  const metadata = METADATA_OF.test(referenceId) ? { reference: referenceId } : undefined
  const reference = { referenceType, referenceId, description: DESCRIPTION, metadata }
  if (target !== undefined) {
    const { referenceType: type, referenceId: id } = journal.pair(target)
    const named = { referenceType: type, referenceId: id }
    if (verb === 'release') return { hold: named, ...reference }
    const amount = amountMinor / 100
    if (verb === 'capture') return { hold: named, amount, isFinal: pair % 3 === 0, ...reference }
    return { debit: named, amount, ...reference }
  }
  const serviceUserId = apps[app]?.serviceUserIds[wallet]
  return { serviceUserId, amount: amountMinor / 100, ...reference }
}

/** `inAddress` passes the secret in the query string, which the contract allows but no log may contain. */
export async function readBalance(setup: Setup, app: number, wallet: number, inAddress: boolean) {
  const request: Request = { app, verb: 'balance', wallet, amountMinor: 0, pair: undefined }
  const path = `/api/server/wallet/check-balance?requiredAmount=1&${userOf(setup, app, wallet)}`
  return get(setup, request, path, inAddress)
}

export async function readHistory(setup: Setup, app: number, wallet: number, inAddress: boolean) {
  const request: Request = { app, verb: 'history', wallet, amountMinor: 0, pair: undefined }
  const path = `/api/server/wallet?limit=1&${userOf(setup, app, wallet)}`
  return get(setup, request, path, inAddress)
}

export async function lookUp(setup: Setup, pair: number, inAddress: boolean) {
  const { app, referenceType, referenceId } = setup.journal.pair(pair)
  const request: Request = { app, verb: 'lookup', wallet: 0, amountMinor: 0, pair }
  const path = `/api/server/operations?referenceType=${referenceType}&referenceId=${referenceId}`
  return get(setup, request, path, inAddress)
}

function userOf({ apps }: Setup, app: number, wallet: number): string {
  return `serviceUserId=${apps[app]?.serviceUserIds[wallet]}`
}

async function get(
  { apps, journal, caller, transactionIds }: Setup,
  request: Request,
  path: string,
  inAddress: boolean,
): Promise<Meaning> {
  const { clientId, clientSecret, authorization, account } = apps[request.app] as App
  const credentials = inAddress
    ? { path: `${path}&clientId=${clientId}&clientSecret=${clientSecret}` }
    : { path, authorization }
  const at = journal.send(request)
  try {
    const response = await caller.send({ method: 'GET', ...credentials, timeoutMs: TIMEOUT_MS })
    const newest = /"id":"(txn_[0-9a-f]+)"/.exec(response.text)?.[1] ?? ''
    return journal.receive(at, response, Number(transactionIds.decode(account, newest)?.seq ?? 0))
  } catch (error) {
    return unknownIfNoResponse(error)
  }
}

function unknownIfNoResponse(error: unknown): Meaning {
  if (error instanceof NoResponse) return 'unknown'
  throw error
}
