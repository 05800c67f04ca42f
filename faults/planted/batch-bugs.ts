import type { PlantedBug } from './planted-bug.ts'

export const BATCH_BUGS: readonly PlantedBug[] = [
  {
    name: 'an operation of a batch runs after one on the same wallet that failed',
    file: 'server/ledger/admit-requests.ts',
    find: '              this.#stopAfter(pending, group)\n',
    replace: '              void [this.#stopAfter, group]\n',
    test: 'server/ledger/series.test.ts',
    title: 'runs none of the later ones, wherever a batch is split',
  },
  {
    name: 'the places of requests that are refused twice are freed twice',
    file: 'server/ledger/admit-requests.ts',
    find: '    if (pending.settled) return\n',
    replace: '',
    test: 'server/ledger/series.test.ts',
    title: 'loses requests from the end of each wallet, and counts its places once',
  },
  {
    name: 'a batch counts as one call for the rate limit',
    file: 'server/http/route.ts',
    find: 'clientApp.clientId, countCalls(fields))',
    replace: 'clientApp.clientId)',
    test: 'server/wallet/batch-limits.test.ts',
    title: '429 RATE_LIMITED counts a batch as its operations',
  },
  {
    name: 'the SDK takes an unrelated page for the success of a batch',
    file: 'sdk/read-batch.ts',
    find: 'body: isSuccess ? {} : body',
    replace: 'body',
    test: 'sdk/read-batch.test.ts',
    title: 'leaves every outcome unknown if it is a success without a result for each call',
  },
  {
    name: 'an invalid operation fails the calls that share its request',
    file: 'sdk/read-batch.ts',
    find: 'const SHARED = [401, 403, 429]',
    replace: 'const SHARED = [400, 401, 403, 429]',
    test: 'sdk/read-batch.test.ts',
    title: 'with another 4xx is not the response to a call: each is sent alone',
  },
  {
    name: 'a call of the SDK overtakes an earlier one on the same wallet',
    file: 'sdk/gather-calls.ts',
    find: 'new Set(this.#busy)',
    replace: 'new Set<string>()',
    test: 'sdk/gather-calls.test.ts',
    title: 'keep their order, in one request or one after the other',
  },
]
