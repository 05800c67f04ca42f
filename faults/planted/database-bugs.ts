import type { PlantedBug } from './planted-bug.ts'

export const DATABASE_BUGS: readonly PlantedBug[] = [
  {
    name: 'lookups that arrive during a query wait for the next caller',
    file: 'server/database/coalesce.ts',
    find: `      running--
      pump()`,
    replace: '      running--',
    test: 'server/database/coalesce.test.ts',
    title:
      'that arrive during a query form the next one, and get their values without another lookup',
  },
  {
    name: 'a failed transaction is continued by the next one',
    file: 'server/database/in-transaction.ts',
    find: `    client.release(true)
    throw error`,
    replace: `    client.release()
    throw error`,
    test: 'server/database/in-transaction.test.ts',
    title: 'leaves nothing to the next one on the same pool: no rows, no locks, no error',
  },
]
