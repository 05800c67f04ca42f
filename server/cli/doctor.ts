import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { createPool } from '../database/connect.ts'
import { examineDeployment } from './examine-deployment.ts'
import { count, print } from './with-service.ts'

const MARKS = { ok: '✓', warning: '!', error: '✗' }

export function addDoctorCommand(program: Command) {
  program
    .command('doctor')
    .description('check a deployment: database, standby, schema, clocks, mail, card processor')
    .action(async () => {
      const config = readConfig()
      const db = createPool(config.databaseUrl, { size: 1, barrier: false })
      const findings = await examineDeployment(config, db)
      await db.end()
      for (const { state, text, fix } of findings) {
        print(`${MARKS[state]} ${text}${fix ? `\n  → ${fix}` : ''}`)
      }
      const errors = findings.filter(({ state }) => state === 'error').length
      const warnings = findings.filter(({ state }) => state === 'warning').length
      const ok = findings.length - errors - warnings
      print(`\n${ok} OK, ${count(warnings, 'warning')}, ${count(errors, 'error')}`)
      if (errors > 0) process.exitCode = 1
    })
}
