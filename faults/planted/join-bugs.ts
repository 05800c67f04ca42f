import type { PlantedBug } from './planted-bug.ts'

export const JOIN_BUGS: readonly PlantedBug[] = [
  {
    name: 'a request that joins a batch ignores a pause',
    file: 'server/ledger/batch.ts',
    find: "    if (isPaused && !decided.has(digest)) return { heldBy: 'pause' }",
    replace:
      "    const isFirst = first.some((each) => each.digest === digest)\n    if (isPaused && isFirst && !decided.has(digest)) return { heldBy: 'pause' }",
    test: 'server/ledger/join-batch.test.ts',
    title: 'is refused while writes are paused, and a repeat gets its decision',
  },
  {
    name: 'a request that joins a batch overdraws the wallet',
    file: 'server/ledger/batch.ts',
    find: '  const output = decide({\n    wallets,\n',
    replace:
      '  for (const { walletId, amountMinor } of requests.slice(first.length)) {\n    const wallet = wallets.get(walletId)\n    if (wallet) wallets.set(walletId, { ...wallet, balance: wallet.balance + amountMinor })\n  }\n  const output = decide({\n    wallets,\n',
    test: 'server/ledger/join-batch.test.ts',
    title: 'cannot overdraw the wallet',
  },
  {
    name: 'a request overtakes an earlier one for its wallet by joining a batch',
    file: 'server/ledger/queue.ts',
    find: 'return end < 0 ? group.length : end',
    replace:
      'return end < 0 ? group.length : group.filter(({ request }) => mayJoin(request)).length',
    test: 'server/ledger/queue-histories.test.ts',
    title:
      'loses and duplicates no request, keeps the order within a wallet, and counts the requests correctly',
  },
  {
    name: 'a paused batch does not look for decisions, so that a repeat is refused',
    file: 'server/ledger/batch.ts',
    find: 'isPaused && !looksUp ? await lookUp(client, requests) : found.rows',
    replace: 'isPaused && looksUp ? await lookUp(client, requests) : found.rows',
    test: 'server/ledger/join-batch.test.ts',
    title: 'is refused while writes are paused, and a repeat gets its decision',
  },
]
