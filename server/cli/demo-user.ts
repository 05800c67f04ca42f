import { randomBytes, randomUUID } from 'node:crypto'
import { InvalidArgumentError, type Command } from 'commander'
import { formatAmount, parseAmount } from '@coffer/contract/money'
import { createServiceUser } from '../identity/create-service-user.ts'
import { link } from '../identity/link.ts'
import { rememberClientApps } from '../client-app/remember-client-apps.ts'
import { BONUS_ACCOUNT } from '../ledger/types.ts'
import { say, withService, type Tools } from './with-service.ts'

export function addDemoUserCommand(program: Command) {
  program
    .command('demo-user <clientId>')
    .description('make a linked user with money, for a developer without the widget')
    .option('--balance <amount>', 'what the wallet holds', '100')
    .action((clientId: string, { balance }: { balance: string }) =>
      withService(async (tools) => {
        const serviceUserId = await createDemoUser(tools, clientId, balance)
        const { currency } = tools.config
        const amount = parseAmount(balance, currency) ?? 0n
        say(`COFFER_SERVICE_USER_ID=${serviceUserId}`)
        say(`The wallet holds ${formatAmount(amount, currency)} ${currency.code}.`)
      }),
    )
}

export async function createDemoUser(tools: Tools, clientId: string, balance: string) {
  const { db, ledger, config } = tools
  const amountMinor = parseAmount(balance, config.currency)
  if (amountMinor === undefined) throw new InvalidArgumentError('--balance must be an amount.')
  const clientApps = rememberClientApps(db)
  const clientApp = await clientApps.find(clientId)
  clientApps.close()
  if (clientApp === undefined) throw new Error(`There is no client app ${clientId}.`)
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
