import type { PlantedBug } from './planted-bug.ts'

export const READ_BUGS: readonly PlantedBug[] = [
  {
    name: 'an export that waits for its turn contains a page twice',
    file: 'server/wallet/export-operations.ts',
    find: 'return { ...page, operations: [] }',
    replace: 'return page',
    test: 'server/wallet/export-operations.test.ts',
    title: '200 has every operation once, also if a page had to wait for other reads of the app',
  },
  {
    name: 'the export of a statement that begins in an archived month breaks off',
    file: 'server/admin/client-apps/export-statement.ts',
    find: 'new Date(period.from) < archivedBefore',
    replace: 'new Date(period.to) < archivedBefore',
    test: 'server/admin/client-apps/statement.alone.test.ts',
    title: '400 INVALID_REQUEST if a part of the period is archived, before the first byte is sent',
  },
  {
    name: 'the refusals of a busy app remove those of others',
    file: 'server/client-app/activity-queries.ts',
    find: 'over (partition by n.client_app_id order by n.last_at desc',
    replace: 'over (order by n.last_at desc',
    test: 'server/admin/client-apps/client-apps.own.test.ts',
    title: '200 returns the refusals of an app also if others have many at the same time',
  },
  {
    name: 'the end of an export frees the place of the next one',
    file: 'server/http/limit-exports.ts',
    find: '      if (this.#inProgress.get(caller) === lines) this.#inProgress.delete(caller)',
    replace: '      this.#inProgress.delete(caller)',
    test: 'server/exports.own.test.ts',
    title: 'keep their place when the connection of an earlier one closes late',
  },
]
