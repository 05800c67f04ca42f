import type { Command } from 'commander'
import { readDatabaseUrl } from '../config.ts'
import { migrate } from '../database/migrate.ts'
import { refuseOtherLogin } from './refuse-other-login.ts'

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('migrate the database to the newest schema')
    .option('--demo', 'allow demo money in this database, which must be empty')
    .action(async ({ demo }: { demo?: boolean }) => {
      await refuseOtherLogin(readDatabaseUrl())
      const applied = await migrate(readDatabaseUrl(), () => undefined, demo)
      const list = applied.map((name) => `\n  ${name}`).join('')
      process.stdout.write(applied.length > 0 ? `Applied:${list}\n` : 'The schema is up to date.\n')
    })
}
