import type { Command } from 'commander'
import { readConfig } from '../config.ts'
import { createPool } from '../database/connect.ts'
import { examineDeployment, type NamedFinding, type Wishes } from './doctor/examine-deployment.ts'
import { count, print, summarize } from './with-service.ts'

const MARKS = { ok: '✓', warning: '!', error: '✗' }
const ERROR_EXIT = 1
const WARNING_EXIT = 2

interface Flags extends Wishes {
  json?: boolean
  strict?: boolean
}

export function addDoctorCommand(program: Command) {
  program
    .command('doctor')
    .description(
      'check a deployment: database, schema, standby, backups, addresses, certificates, clocks, mail, card processor',
    )
    .option('--backups <file>', 'what pgbackrest info printed after the last backup')
    .option('--mail-to <address>', 'also send an email to this address')
    .option('--json', 'print the findings as JSON')
    .option('--strict', 'exit with 2 if there are warnings but no errors')
    .action(async ({ json, strict, ...wishes }: Flags) => {
      const config = readConfig()
      const db = createPool(config.databaseUrl, { size: 1, barrier: false })
      const findings = await examineDeployment(config, db, wishes)
      await db.end()
      const errors = findings.filter(({ state }) => state === 'error').length
      const warnings = findings.filter(({ state }) => state === 'warning').length
      if (json) print(JSON.stringify({ errors, warnings, findings }, undefined, 2))
      else show(findings, errors, warnings)
      await summarize(describe(findings, errors, warnings))
      if (errors > 0) process.exitCode = ERROR_EXIT
      else if (strict && warnings > 0) process.exitCode = WARNING_EXIT
    })
}

function describe(findings: NamedFinding[], errors: number, warnings: number): string {
  const texts = findings.flatMap(({ state, text }) => (state === 'error' ? [text] : []))
  return [`${count(errors, 'error')}, ${count(warnings, 'warning')}.`, ...texts].join(' ')
}

function show(findings: NamedFinding[], errors: number, warnings: number) {
  for (const { state, text, fix } of findings) {
    print(`${MARKS[state]} ${text}${fix ? `\n  → ${fix}` : ''}`)
  }
  const ok = findings.length - errors - warnings
  print(`\n${ok} OK, ${count(warnings, 'warning')}, ${count(errors, 'error')}`)
}
