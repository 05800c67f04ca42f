import * as shape from '@coffer/contract/shapes'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Scope, SCOPES } from '@coffer/contract/endpoint'
import { ON_MISMATCH_DEFAULT } from '@coffer/contract/limits'
import { parseAmount } from '@coffer/contract/money'
import type pg from 'pg'
import { requireKeys } from '../admin/switches/require-keys.ts'
import { activateClientApp, refuseSharedParents } from '../client-app/activate-client-app.ts'
import { createClientApp } from '../client-app/create-client-app.ts'
import { listClientApps } from '../client-app/list-client-apps.ts'
import type { OnMismatch } from '../client-app/queries.ts'
import { addSecretCommands } from './client-secret.ts'
import { record } from './record.ts'
import { setBalanceEvents, setOnMismatch } from './change-client-app.ts'
import { setCreditLimit } from './set-credit-limit.ts'
import { count, print, withMoney, withService } from './with-service.ts'

interface CreateOptions {
  creditLimit: string
  scope: Scope[]
  origin: string[]
  parent: string[]
  accent?: string
  shareParents?: boolean
  contact: string[]
  onMismatch: OnMismatch
  balanceEvents?: boolean
}

export function addClientAppCommands(program: Command) {
  const command = program.command('client-app').description('manage client apps and their secrets')
  const collect = (value: string, all: string[]) => [...all, value]

  command
    .command('create <name>')
    .description('register a client app and show its credentials, once')
    .requiredOption(
      '--credit-limit <amount>',
      'how far its ledger account may go below zero, or "unlimited"',
    )
    .addOption(
      new Option('--scope <scope...>', 'what the app may do').choices(SCOPES).default([...SCOPES]),
    )
    .option('--origin <origin>', 'a frontend origin of the app; repeatable', collect, [])
    .option('--parent <origin>', 'an origin that may embed the widget; repeatable', collect, [])
    .option('--accent <color>', 'color of buttons in the widget, such as #0a7c66')
    .option('--share-parents', 'allow parents that another active app lists too')
    .option('--contact <email>', 'who is notified of changes; repeatable', collect, [])
    .addOption(
      new Option('--on-mismatch <response>', 'what a repeated reference with other values gets')
        .choices(['replay', 'conflict'])
        .default(ON_MISMATCH_DEFAULT),
    )
    .option('--balance-events', 'send it the event balance.changed')
    .action(create)

  command
    .command('list')
    .description('list all client apps')
    .action(() => withService(async ({ db }) => list(await listClientApps(db))))

  command
    .command('set-credit-limit <clientId> <amount>')
    .description('change its credit limit to an amount or to "unlimited"')
    .action(setCreditLimit)

  command
    .command('on-mismatch <clientId> <replay|conflict>')
    .description(
      'return the first outcome to a repeated reference with other values, or refuse it with 409',
    )
    .action(setOnMismatch)

  command
    .command('balance-events <clientId> <on|off>')
    .description('send it the event balance.changed from now on, or stop')
    .action(setBalanceEvents)

  addSecretCommands(command)
  addStateCommands(command)
}

function addStateCommands(command: Command) {
  command
    .command('activate <clientId>')
    .description('accept its credentials again')
    .option('--share-parents', 'even if another active app lists one of its parents')
    .action((clientId: string, { shareParents }: { shareParents?: boolean }) =>
      withService(async ({ db }) => {
        if (!shareParents) await refuseSharedParents(db, clientId)
        await activate(db, clientId, true)
        print(`${clientId} is active. All processes accept it within a second.`)
      }),
    )

  command
    .command('deactivate <clientId>')
    .description('refuse its credentials')
    .action((clientId: string) =>
      withService(async ({ db }) => {
        await activate(db, clientId, false)
        print(`${clientId} is inactive. All processes refuse it within a second.`)
      }),
    )
}

function activate(db: pg.Pool, clientId: string, isActive: boolean) {
  return activateClientApp(db, clientId, isActive, (tx) =>
    record(tx, 'client_app.activate', clientId, { isActive }),
  )
}

async function create(name: string, options: CreateOptions) {
  await withMoney(async (tools) => {
    await requireKeys(tools.db, tools.config)
    const { creditLimit } = options
    const limit =
      creditLimit === 'unlimited' ? creditLimit : parseAmount(creditLimit, tools.config.currency)
    if (limit === undefined) {
      throw new InvalidArgumentError('--credit-limit must be an amount such as 1000, or unlimited.')
    }
    const settings = {
      name,
      scopes: options.scope,
      allowedOrigins: options.origin,
      allowedIframeParents: options.parent,
      accentColor: options.accent ?? null,
      onMismatch: options.onMismatch,
      getsBalanceEvents: options.balanceEvents ?? false,
      contactEmails: options.contact.map(readEmail),
    }
    const sharesParents = options.shareParents ?? false
    const app = await createClientApp(
      tools,
      { ...settings, creditLimit: limit, sharesParents },
      {
        after: (tx, { clientId }) =>
          record(tx, 'client_app.create', clientId, { ...settings, creditLimit }),
      },
    )
    print(`${name} is registered. The secret is shown only once:\n`)
    print(`COFFER_CLIENT_ID=${app.clientId}\nCOFFER_CLIENT_SECRET=${app.clientSecret}`)
  })
}

function list(apps: Awaited<ReturnType<typeof listClientApps>>) {
  if (apps.length === 0) print('No client apps yet. Register one with: coffer client-app create')
  for (const app of apps) {
    const state = app.isActive ? 'active' : 'inactive'
    const secrets = count(app.liveSecrets, 'valid secret')
    print(`${app.clientId}  ${state.padEnd(8)}  ${secrets}  ${app.scopes.join(' ')}  ${app.name}`)
    for (const origin of app.allowedOrigins) print(`  origin ${origin}`)
    for (const origin of app.allowedIframeParents) print(`  parent ${origin}`)
  }
}

function readEmail(text: string): string {
  const { success, data } = shape.email.safeParse(text)
  if (!success) throw new InvalidArgumentError(`--contact ${text} is not a valid email address.`)
  return data
}
