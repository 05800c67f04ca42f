#!/usr/bin/env node
/** The command line interface. */
import { Command } from 'commander'
import packageFile from './package.json' with { type: 'json' }
import { addArchiveCommands } from './cli/archive.ts'
import { addCheckCommand } from './cli/check.ts'
import { addClientAppCommands } from './cli/client-app.ts'
import { addKeysCommands } from './cli/keys.ts'
import { addLedgerCommands } from './cli/ledger.ts'
import { addOperatorCommands } from './cli/operator.ts'
import { addPartitionCommands } from './cli/partitions.ts'
import { addPauseCommands } from './cli/pause.ts'
import { fail } from './cli/with-service.ts'
import { addDemoUserCommand } from './cli/demo-user.ts'
import { addDoctorCommand } from './cli/doctor.ts'
import { addMigrateCommand } from './cli/migrate.ts'
import { addRestoreCommands } from './cli/restore.ts'
import { addTopupCommands } from './cli/topup.ts'
import { addRestartCommand } from './cli/restart.ts'
import { completeEnvironment } from './config.ts'
import { addServeCommand } from './main.ts'

const program = new Command('coffer')
  .description('Coffer: a wallet service that other apps can build on.')
  .version(packageFile.version)
  .showHelpAfterError()

addArchiveCommands(program)
addCheckCommand(program)
addClientAppCommands(program)
addDemoUserCommand(program)
addDoctorCommand(program)
addKeysCommands(program)
addLedgerCommands(program)
addMigrateCommand(program)
addOperatorCommands(program)
addPartitionCommands(program)
addPauseCommands(program)
addRestartCommand(program)
addServeCommand(program)
addRestoreCommands(program)
addTopupCommands(program)

program.hook('preAction', completeEnvironment)
// Connections that could not be closed, such as one that never logged in, would keep the process running.
program.hook('postAction', (_, command) => {
  if (command.name() !== 'serve') process.exit()
})
program.parseAsync().catch((error: unknown) => {
  fail(error)
  process.exit()
})
