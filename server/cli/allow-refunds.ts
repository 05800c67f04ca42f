import type { Command } from 'commander'
import { recordAction } from '../admin/record-action.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { many, run } from '../database/statement.ts'
import {
  allowVersion,
  HOLD_VERSION,
  REFUND_VERSION,
  SPEND_LIMIT_VERSION,
} from '../ledger/chain-queries.ts'
import { COMMAND_LINE } from './operator.ts'
import { LIST_WALLETS_OF_DELETED } from './refund-queries.ts'
import { print, withService } from './with-service.ts'

const STEPS = [
  { name: 'refunds', words: 'refunds', version: REFUND_VERSION },
  { name: 'holds', words: 'holds and refunds', version: HOLD_VERSION },
  {
    name: 'spend-limits',
    words: 'spending limits, holds and refunds',
    version: SPEND_LIMIT_VERSION,
  },
] as const

/** The last step of an upgrade from a version without these operations: its processes could not read them. */
export function addAllowCommands(program: Command) {
  for (const { name, words, version } of STEPS) {
    const when = 'run it after an upgrade, when every process runs this version'
    program
      .command(`allow-${name}`)
      .description(`accept ${words}; ${when}`)
      .action(() =>
        withService(async ({ db, ledger }) => {
          const isNew = await inTransaction(db, async (tx) => {
            // A version without refunds did not close the wallet of a deleted account.
            for (const walletId of await many(tx, LIST_WALLETS_OF_DELETED)) {
              await ledger.closeWallet(walletId, tx)
            }
            const changed = await run(tx, allowVersion(version))
            if (changed > 0) await recordAction(tx, COMMAND_LINE, { action: `${name}.allow` })
            return changed > 0
          })
          const label = { refunds: 'Refunds', holds: 'Holds', 'spend-limits': 'Spending limits' }[
            name
          ]
          print(isNew ? `${label} are accepted from now on.` : `${label} were accepted already.`)
        }),
      )
  }
}
