/** Fills the ledger of the old version before the upgrade, with its own code, because only it knows its schema. */
import { join } from 'node:path'
import type { fillUpTo, openWallets } from '../../bench/fill.ts'
import type { readConfig } from '../../server/config.ts'
import type { createPool } from '../../server/database/connect.ts'
import type { Ledger } from '../../server/ledger/ledger.ts'
import type { makeClientApp } from '../../server/test/factories.ts'
import { withAdmin } from '../setup/with-admin.ts'

const OPERATIONS_EACH = 20

/** Returns the number of wallets that it opened; their ids begin with 1. */
export async function fillLedger(
  root: string,
  env: Record<string, string>,
  operations: number,
): Promise<number> {
  if (operations === 0) return 0
  const load = (file: string) => import(join(root, file))
  const old = {
    ...((await load('bench/fill.ts')) as {
      openWallets: typeof openWallets
      fillUpTo: typeof fillUpTo
    }),
    ...((await load('server/config.ts')) as { readConfig: typeof readConfig }),
    ...((await load('server/database/connect.ts')) as { createPool: typeof createPool }),
    ...((await load('server/ledger/ledger.ts')) as { Ledger: typeof Ledger }),
    ...((await load('server/test/factories.ts')) as { makeClientApp: typeof makeClientApp }),
  }
  const config = old.readConfig(env)
  const url = config.databaseUrl
  const db = old.createPool(url, { size: 1, barrier: false })
  const ledger = new old.Ledger({ databaseUrl: url })
  const app = await old.makeClientApp({ db, ledger, config }, { name: 'Large shop' })
  await ledger.close()
  await db.end()
  const wallets = Math.ceil(operations / OPERATIONS_EACH)
  const target = { url, wallets, clientAppId: app.id, account: app.ledgerAccount }
  await old.openWallets(target)
  await old.fillUpTo(target, operations)
  await withAdmin(url, (admin) => admin.query('vacuum analyze'))
  return wallets
}
