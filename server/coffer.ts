#!/usr/bin/env node
/** The command line: everything that an operator does from a shell. */
import { Command } from 'commander'
import { addClientAppCommands } from './cli/client-app.ts'
import { addLedgerCommands } from './cli/ledger.ts'
import { addOperatorCommands } from './cli/operator.ts'
import { fail } from './cli/with-service.ts'
import { readDatabaseUrl } from './config.ts'
import { migrate } from './database/migrate.ts'
import { addDemoUserCommand } from './cli/demo-user.ts'
import { addTopupCommands } from './cli/topup.ts'
import { serve } from './main.ts'

const program = new Command('coffer')
  .description('Coffer: a wallet service that other apps can build on.')
  .showHelpAfterError()

program
  .command('serve')
  .description('run the service')
  .action(() => serve())

program
  .command('migrate')
  .description('bring the database to the newest schema')
  .action(async () => {
    const applied = await migrate(readDatabaseUrl(), () => undefined)
    const list = applied.map((name) => `\n  ${name}`).join('')
    process.stdout.write(applied.length > 0 ? `Applied:${list}\n` : 'Nothing to do.\n')
  })

addClientAppCommands(program)
addDemoUserCommand(program)
addLedgerCommands(program)
addOperatorCommands(program)
addTopupCommands(program)

program.parseAsync().catch(fail)
