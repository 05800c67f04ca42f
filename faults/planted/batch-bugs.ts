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
]
