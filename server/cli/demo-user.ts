import { randomBytes, randomUUID } from 'node:crypto'
import { InvalidArgumentError, type Command } from 'commander'
import { formatAmount, parseAmount } from '@coffer/contract/money'
import { recordAction } from '../admin/record-action.ts'
import { createServiceUser } from '../identity/create-service-user.ts'
import { link } from '../identity/link.ts'
import { createClientAppCache } from '../client-app/client-app-cache.ts'
import { BONUS_ACCOUNT } from '../ledger/types.ts'
import { requireDemo } from '../database/require-demo.ts'
import { COMMAND_LINE } from './operator.ts'
import { print, withMoney, type Tools } from './with-service.ts'

export function addDemoUserCommand(program: Command) {
  program
    .command('demo-user <clientId>')
    .description('create a linked user with money, in a database created with migrate --demo')
    .option('--balance <amount>', 'balance of the wallet', '100')
    .action((clientId: string, { balance }: { balance: string }) =>
      withMoney(async (tools) => {
        const { currency } = tools.config
        const serviceUserId = await createDemoUser(tools, clientId, balance)
        const amount = parseAmount(balance, currency) ?? 0n
        print(`COFFER_SERVICE_USER_ID=${serviceUserId}`)
        print(`Balance: ${formatAmount(amount, currency)} ${currency.code}`)
      }),
    )
}

export async function createDemoUser(
  tools: Tools,
  clientId: string,
  balance: string,
): Promise<string> {
  const { db, ledger, config } = tools
  await requireDemo(db)
  const amountMinor = parseAmount(balance, config.currency)
  if (amountMinor === undefined) throw new InvalidArgumentError('--balance must be an amount.')
  const clientApps = createClientAppCache(db)
  const clientApp = await clientApps.find(clientId)
  clientApps.close()
  if (clientApp === undefined) throw new Error(`Client app ${clientId} not found.`)
  // Written first: the person, the money and the link are three transactions.
  const after = { balance: formatAmount(amountMinor, config.currency) }
  await recordAction(db, COMMAND_LINE, { action: 'demo_user.create', subject: clientId, after })
  const name = randomBytes(4).toString('hex')
  const person = { firstName: 'Demo', lastName: 'User', email: `demo-${name}@example.com` }
  const user = await createServiceUser(tools, person)
  if (amountMinor > 0n) {
    await ledger.post({
      kind: 'bonus',
      referenceType: 'BONUS',
      referenceId: randomUUID(),
      walletId: user.walletId,
      amountMinor,
      counterAccount: BONUS_ACCOUNT,
      description: 'Demo money',
    })
  }
  return link(db, clientApp.id, user.id)
}
