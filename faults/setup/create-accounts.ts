/** Creates client apps and people with the functions of production; every person is linked to every app. */
import { randomUUID } from 'node:crypto'
import { link } from '../../server/identity/link.ts'
import { readConfig } from '../../server/config.ts'
import { createPool } from '../../server/database/connect.ts'
import { Ledger } from '../../server/ledger/ledger.ts'
import { BONUS_ACCOUNT } from '../../server/ledger/types.ts'
import { makeClientApp, makeUser } from '../../server/test/factories.ts'

export interface App {
  clientId: string
  clientSecret: string
  /** The Authorization header for HTTP Basic. */
  authorization: string
  account: number
  creditLimit: number | undefined
  /** By the number of the wallet. */
  serviceUserIds: string[]
}

/** The bonus that a wallet starts with. */
export interface Opening {
  wallet: number
  referenceId: string
  amountMinor: number
}

/** Few wallets, so that they are hot; the last app is the one that floods. */
const WALLETS = 24
const CREDIT_LIMITS = [undefined, undefined, undefined, 20_000, undefined]
export const LIMITED_APP = 3
export const FLOODING_APP = 4
const OPENING_MINOR = 5_000

export async function createAccounts(env: Record<string, string>) {
  const config = readConfig(env)
  const db = createPool(config.databaseUrl, { size: 4, barrier: false })
  const ledger = new Ledger({ databaseUrl: config.databaseUrl })
  const tools = { db, ledger, config }
  try {
    const created = []
    for (const [index, creditLimit] of CREDIT_LIMITS.entries()) {
      const limit = creditLimit === undefined ? 'unlimited' : BigInt(creditLimit)
      const app = await makeClientApp(tools, { name: `Shop ${index}`, creditLimit: limit })
      created.push({ ...app, creditLimit })
    }
    const users = []
    for (let wallet = 0; wallet < WALLETS; wallet++) users.push(await makeUser(tools))
    const openings = []
    for (const [wallet, { walletId }] of users.entries()) {
      openings.push(await give(ledger, wallet, walletId))
    }
    const apps: App[] = []
    for (const { id, clientId, clientSecret, ledgerAccount: account, creditLimit } of created) {
      const serviceUserIds = []
      for (const user of users) serviceUserIds.push(await link(db, id, user.id))
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
      const authorization = `Basic ${basic}`
      apps.push({ clientId, clientSecret, authorization, account, creditLimit, serviceUserIds })
    }
    return { apps, wallets: users.map(({ walletId }) => walletId), openings }
  } finally {
    await ledger.close()
    await db.end()
  }
}

async function give(ledger: Ledger, wallet: number, walletId: bigint): Promise<Opening> {
  const referenceId = randomUUID()
  await ledger.post({
    kind: 'bonus',
    referenceType: 'BONUS',
    referenceId,
    walletId,
    amountMinor: BigInt(OPENING_MINOR),
    counterAccount: BONUS_ACCOUNT,
    description: null,
  })
  return { wallet, referenceId, amountMinor: OPENING_MINOR }
}
