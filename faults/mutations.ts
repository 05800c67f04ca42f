/** Passages of our own source and their replacements: failpoints, and known bugs that the tests must catch. */
export interface Mutation {
  file: string
  find: string
  replace: string
}

export type Failpoint = 'before-commit' | 'after-commit'

export const MUTATIONS: Record<string, Mutation[] | undefined> = {
  /** Before: the writes have arrived, COMMIT has not been sent. After: COMMIT has succeeded, no caller has a response. */
  failpoints: [
    {
      file: 'server/ledger/batch.ts',
      find: `  const [committed] = await Promise.allSettled([client.query('commit')])`,
      replace: `  if (globalThis.diesAt('before-commit')) {
    await written
    process.kill(process.pid, 'SIGKILL')
  }
  const [committed] = await Promise.allSettled([client.query('commit')])
  if (globalThis.diesAt('after-commit')) process.kill(process.pid, 'SIGKILL')`,
    },
  ],
  'acknowledge-before-commit': [
    {
      file: 'server/ledger/batch.ts',
      find: '  await commit(client, listWrites(output, { executed, wallets, places, nowMs }))\n',
      replace:
        '  const writes = listWrites(output, { executed, wallets, places, nowMs })\n  void commit(client, writes).catch(() => undefined)\n',
    },
  ],
  'no-lock': [
    {
      file: 'server/ledger/queries.ts',
      find: 'from ledger.wallets where id = any($1::bigint[]) order by id for update${skip}`',
      replace: 'from ledger.wallets where id = any($1::bigint[]) order by id`',
    },
  ],
  'pair-not-scoped': [
    {
      file: 'server/ledger/admit-requests.ts',
      find: 'const digest = digestPair(scope, request.referenceType, request.referenceId)',
      replace: 'const digest = digestPair(0, request.referenceType, request.referenceId)',
    },
  ],
  'batch-results-reversed': [
    {
      file: 'server/wallet/execute-batch.ts',
      find: '  return { results }\n',
      replace: '  return { results: results.toReversed() }\n',
    },
  ],
  'topup-not-unique': [
    {
      file: 'server/topup/settle.ts',
      find: '    referenceId: intent.id,\n',
      replace: '    referenceId: `${intent.id}-${Math.random()}`,\n',
    },
  ],
  'float-arithmetic': [
    {
      file: 'server/wallet/debit-or-credit.ts',
      find: '  const amountMinor = parseAmount(input.amount, currency)\n',
      replace: '  const amountMinor = BigInt(Math.trunc(Number(input.amount) * 100))\n',
    },
  ],
  'retry-with-new-key': [
    {
      file: 'server/ledger/lanes.ts',
      find: '      queue.putBack(batch.filter((each) => !each.settled))\n',
      replace: `      for (const { request } of batch) request.digest = crypto.randomUUID().replaceAll('-', '')
      queue.putBack(batch.filter((each) => !each.settled))
`,
    },
  ],
  'query-string-in-log': [
    {
      file: 'server/http/serve-directly.ts',
      find: '      route: endpoint.path,\n',
      replace: '      route: `${endpoint.path}?${query}`,\n',
    },
  ],
  'post-message-to-anybody': [
    {
      file: 'web/widget/host.ts',
      find: 'host?.postMessage({ ...event, version: 1 }, origin)',
      replace: `host?.postMessage({ ...event, version: 1 }, '*')`,
    },
  ],
  /** These two need a synchronous standby to be caught. */
  'synchronous-commit-local': [
    {
      file: 'server/database/connect.ts',
      find: '    role: SERVICE_ROLE,\n',
      replace: `    synchronous_commit: 'local',\n    role: SERVICE_ROLE,\n`,
    },
  ],
  'replay-without-standby': [
    {
      file: 'server/ledger/read-durably.ts',
      find: '    await client.query(BARRIER)\n',
      replace: '',
    },
    {
      file: 'server/ledger/ledger.ts',
      find: `import { digestPair } from './digest.ts'\n`,
      replace: `import { findDecisions, toDecisions } from './decision-queries.ts'
import { digestPair } from './digest.ts'\n`,
    },
    {
      file: 'server/ledger/ledger.ts',
      find: `    return this.#admission.post(request)\n`,
      replace: `    const digest = digestPair(scopeOf(request), request.referenceType, request.referenceId)
    const found = many(this.#pool, findDecisions([digest])).then((rows) => toDecisions(this.#pool, rows))
    return found.then(([known]) => known ? replay(known, request) : this.#admission.post(request))\n`,
    },
  ],
}
