import type { Command } from 'commander'
import { recordAction } from '../admin/record-action.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { many, run } from '../database/statement.ts'
import { ALLOW_REFUNDS } from '../ledger/chain-queries.ts'
import { COMMAND_LINE } from './operator.ts'
import { LIST_WALLETS_OF_DELETED } from './refund-queries.ts'
import { print, withService } from './with-service.ts'

/** The last step of an upgrade from a version without refunds: its processes could not read them. */
export function addAllowRefundsCommand(program: Command) {
  program
    .command('allow-refunds')
    .description('accept refunds; run it after an upgrade, when every process runs this version')
    .action(() =>
      withService(async ({ db, ledger }) => {
        const isNew = await inTransaction(db, async (tx) => {
          // The previous version did not close the wallet of a deleted account.
          for (const walletId of await many(tx, LIST_WALLETS_OF_DELETED)) {
            await ledger.closeWallet(walletId, tx)
          }
          const changed = await run(tx, ALLOW_REFUNDS)
          if (changed > 0) await recordAction(tx, COMMAND_LINE, { action: 'refunds.allow' })
          return changed > 0
        })
        print(isNew ? 'Refunds are accepted from now on.' : 'Refunds were accepted already.')
      }),
    )
}
