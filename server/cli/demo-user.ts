import { randomBytes, randomUUID } from 'node:crypto'
import { InvalidArgumentError, type Command } from 'commander'
import { formatAmount, parseAmount } from '@coffer/contract/money'
import { recordAction } from '../admin/record-action.ts'
import { createServiceUser } from '../identity/create-service-user.ts'
import { link } from '../identity/link.ts'
import { rememberClientApps } from '../client-app/remember-client-apps.ts'
import { ConfigError, type Config } from '../config.ts'
import { BONUS_ACCOUNT } from '../ledger/types.ts'
import { COMMAND_LINE } from './operator.ts'
import { print, withMoney, type Tools } from './with-service.ts'

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

export function addDemoUserCommand(program: Command) {
  program
    .command('demo-user <clientId>')
    .description(
      'create a linked user with money; only on local deployments without live Stripe keys',
    )
    .option('--balance <amount>', 'balance of the wallet', '100')
    .action((clientId: string, { balance }: { balance: string }) =>
      withMoney(async (tools) => {
        const { currency, publicOrigin } = tools.config
        const serviceUserId = await createDemoUser(tools, publicOrigin, clientId, balance)
        const amount = parseAmount(balance, currency) ?? 0n
        print(`COFFER_SERVICE_USER_ID=${serviceUserId}`)
        print(`Balance: ${formatAmount(amount, currency)} ${currency.code}`)
      }),
    )
}

/**
 * Demo money is not backed by a payment, so it must not reach real people. There is no flag to override this. An unknown
 * address is refused too: a shell on a live machine often has little more than DATABASE_URL.
 */
export function refuseLiveDeployment({ stripe }: Config, address: string | undefined): void {
  if (stripe && !stripe.isTest) {
    throw new ConfigError(
      'This deployment has live Stripe keys, so demo users are not allowed. Use a deployment with test keys (sk_test_…).',
    )
  }
  if (address !== undefined && LOCAL_HOSTS.includes(new URL(address).hostname)) return
  const found = address === undefined ? 'PUBLIC_URL is not set' : `PUBLIC_URL is ${address}`
  throw new ConfigError(
    `Demo users are for local deployments only, but ${found}.\n` +
      'If this deployment is on your own machine, set PUBLIC_URL=http://localhost:8080 (with its port) and try again.',
  )
}

export async function createDemoUser(
  tools: Tools,
  address: string | undefined,
  clientId: string,
  balance: string,
): Promise<string> {
  const { db, ledger, config } = tools
  refuseLiveDeployment(config, address)
  const amountMinor = parseAmount(balance, config.currency)
  if (amountMinor === undefined) throw new InvalidArgumentError('--balance must be an amount.')
  const clientApps = rememberClientApps(db)
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
