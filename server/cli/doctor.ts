import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { createPool } from '../database/connect.ts'
import { examineDeployment } from './examine-deployment.ts'
import { say } from './with-service.ts'

const MARKS = { well: '✓', odd: '!', ill: '✗' }

export function addDoctorCommand(program: Command) {
  program
    .command('doctor')
    .description('look at a deployment: database, standby, schema, clocks, mail, card processor')
    .action(async () => {
      const config = readConfig()
      const db = createPool(config.databaseUrl, { size: 1, barrier: false })
      const findings = await examineDeployment(config, db)
      await db.end()
      for (const { state, text, mend } of findings) {
        say(`${MARKS[state]} ${text}${mend ? `\n  → ${mend}` : ''}`)
      }
      const ill = findings.filter(({ state }) => state === 'ill').length
      const odd = findings.filter(({ state }) => state === 'odd').length
      say(`\n${findings.length - ill - odd} well, ${odd} to look at, ${ill} to mend.`)
      if (ill > 0) process.exitCode = 1
    })
}
