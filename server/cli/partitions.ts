import type { Command } from 'commander'
import pg from 'pg'
import { recordAction } from '../admin/record-action.ts'
import { readDatabaseUrl } from '../config.ts'
import { preparePartitions } from '../ledger/partitions/prepare-partitions.ts'
import { repairPartitions } from '../ledger/partitions/repair-partitions.ts'
import { COMMAND_LINE } from './operator.ts'
import { count, print } from './with-service.ts'

export function addPartitionCommands(program: Command) {
  program
    .command('repair-partitions')
    .description('move the rows of the default partition to partitions of their months')
    .action(async () => {
      const client = new pg.Client(readDatabaseUrl())
      await client.connect()
      try {
        await repair(client)
      } finally {
        await client.end()
      }
    })
}

/** As the role that logged in, the owner: the service's role may not delete operations. */
async function repair(client: pg.Client) {
  // Written before the first of several transactions.
  await recordAction(client, COMMAND_LINE, { action: 'ledger.repair_partitions' })
  await repairPartitions(client, {
    onMoved: ({ month, rows }) => print(`Moved ${count(rows, 'row')} to ${month}.`),
    onWait: (month) => print(`Another transaction uses the rows of ${month}; trying again.`),
  })
  const { missing } = await preparePartitions(client)
  for (const { month, error } of missing) print(`No partition for ${month}: ${String(error)}`)
  if (missing.length > 0) process.exitCode = 1
  else print('The default partition is empty, and the coming months have partitions.')
}
