/** In the refusal of repeats that differ, the export of operations, and operators' releases of holds. */
import type { PlantedBug } from './planted-bug.ts'

export const MISMATCH_BUGS: readonly PlantedBug[] = [
  {
    name: 'repeats that differ are refused for every app',
    file: 'server/wallet/mark-replay.ts',
    find: "if (mismatch.length === 0 || onMismatch !== 'conflict') return",
    replace: 'if (mismatch.length === 0 || onMismatch === undefined) return',
    test: 'server/wallet/on-mismatch.test.ts',
    title: 'an app with the default gets the first outcome, and a type mismatch without it',
  },
  {
    name: 'a batch replays a repeat that differs to an app that refuses them',
    file: 'server/wallet/execute-batch.ts',
    find: '    refuseMismatch(context, clientApp, outcome.value)\n',
    replace: '    void refuseMismatch\n',
    test: 'server/wallet/on-mismatch.test.ts',
    title: '200 in a batch, with the result of the single call',
  },
  {
    name: 'an export ends normally if the month is archived meanwhile',
    file: 'server/wallet/export-operations.ts',
    find: "      if (page.archivedBefore) throw new Error('the month was archived during its export')\n",
    replace: '',
    test: 'server/wallet/export-operations.test.ts',
    title:
      '400 INVALID_REQUEST for an archived month; one that is archived meanwhile breaks the connection',
  },
  {
    name: 'the SDK takes a part of an export for all of it',
    file: 'sdk/export-operations.ts',
    find: "  if (rest !== '') throw fail(line)\n",
    replace: '',
    test: 'sdk/export-operations.test.ts',
    title: 'SERVICE_UNAVAILABLE if the connection ends early, after the operations that arrived',
  },
  {
    name: 'an operator releases the hold of another person',
    file: 'server/admin/grants/release-hold.ts',
    find: 'hold === undefined || hold.walletId !== walletId',
    replace: 'hold === undefined || walletId === undefined',
    test: 'server/admin/grants/release-hold.test.ts',
    title: '404 NOT_FOUND for an unknown hold, and for the hold of another person',
  },
  {
    name: 'the id of a release is accepted for another hold',
    file: 'server/admin/grants/propose-grant.ts',
    find: '    known.hold === proposal.hold &&\n',
    replace: '',
    test: 'server/admin/grants/release-hold.test.ts',
    title: '400 INVALID_REQUEST for invalid fields, and for an id that was used for something else',
  },
]
