import type { Command } from 'commander'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readKeys, type KeysState } from '../admin/switches/read-keys.ts'
import { compareKeys } from '../admin/switches/require-keys.ts'
import { resealSeeds } from '../admin/switches/reseal-seeds.ts'
import { recordAction } from '../admin/record-action.ts'
import { ConfigError, readDatabaseUrl, readKeyList } from '../config.ts'
import { createPool } from '../database/connect.ts'
import { checkKeyCopy, nameOf } from './check-key-copy.ts'
import {
  formatSecrets,
  readKeyCopy,
  secretsToCopy,
  writeKeyCopy,
  type CopiedSecrets,
} from './key-copy.ts'
import { COMMAND_LINE } from './operator.ts'
import { readNewPassphrase, readPassphrase } from './read-passphrase.ts'
import { count, print, withKeys, withService } from './with-service.ts'

/** More valid secrets than any deployment has. */
const ALL = 1_000_000

export function addKeysCommands(program: Command) {
  const command = program
    .command('keys')
    .description('show what each key still protects, replace keys, and keep a copy of them')

  command
    .command('status')
    .description('show what each key of SECRET_PEPPERS and ADMIN_KEYS still protects')
    .action(() =>
      withService(async (tools) => {
        report(await readKeys(tools, ALL))
        await compareKeys(tools.db, tools.config)
      }),
    )

  command
    .command('reseal')
    .description("encrypt the operators' authenticators with the newest key of ADMIN_KEYS")
    .option(
      '--drop-recovery-codes',
      'delete recovery codes of older keys; operators who lose their authenticator then need an owner',
    )
    .action(({ dropRecoveryCodes = false }: { dropRecoveryCodes?: boolean }) =>
      withKeys(async ({ db, config }) => {
        const { adminKeys: keys } = config
        if (keys === undefined)
          throw new ConfigError('ADMIN_KEYS is missing, so there is nothing to encrypt.')
        const { seeds, dropped } = await resealSeeds({ db, keys }, COMMAND_LINE, {
          dropRecoveryCodes,
        })
        print(`${count(seeds, 'authenticator')} encrypted with ${keys[0].id}.`)
        if (dropRecoveryCodes) print(`Recovery codes of ${count(dropped, 'operator')} deleted.`)
        reportAdminKeys(await readKeys({ db, config }))
      }),
    )

  addCopyCommands(command)
}

function addCopyCommands(command: Command) {
  const passphraseFile = [
    '--passphrase-file <file>',
    'read the passphrase from this file, or from /dev/stdin; default: ask for it',
  ] as const

  command
    .command('export <file>')
    .description('write an encrypted copy of all keys to a new file')
    .option(...passphraseFile)
    .action((file: string, flags: PassphraseFlags) =>
      withKeys(async ({ db, config }) => {
        if (existsSync(file)) throw new Error(`${file} already exists. Choose another name.`)
        const secrets = secretsToCopy(config)
        const passphrase = await readNewPassphrase(flags.passphraseFile)
        const text = await writeKeyCopy(secrets, passphrase)
        await recordAction(db, COMMAND_LINE, { action: 'keys.export' })
        writeFileSync(file, text, { flag: 'wx', mode: 0o600, flush: true })
        print(`${file} contains ${Object.keys(secrets).join(' and ')}, encrypted.`)
        print('Move it to a place that survives this machine, and keep the passphrase elsewhere.')
        print('Then check the copy at that place: coffer keys check FILE')
      }),
    )

  command
    .command('check <file>')
    .description('compare a copy with the keys that the database needs, and record the time')
    .option(...passphraseFile)
    .action(async (file: string, flags: PassphraseFlags) => {
      const copy = readKeyList(await readCopy(file, flags))
      const db = createPool(readDatabaseUrl(), { size: 1, barrier: false })
      const { faults, notes, checked } = await checkKeyCopy(db, copy)
      await db.end()
      if (faults.length > 0) {
        const lines = faults.map((fault) => `  ${fault}`).join('\n')
        throw new Error(
          `${file} is not enough to use this database:\n${lines}\nWrite a new copy where the service runs: coffer keys export FILE`,
        )
      }
      print(`${file} has every key that the database needs: ${checked.map(nameOf).join(', ')}.`)
      for (const note of notes) print(note)
    })

  command
    .command('show <file>')
    .description('print the keys in a copy as lines of an environment file, to restore them')
    .option(...passphraseFile)
    .action(async (file: string, flags: PassphraseFlags) => {
      process.stdout.write(formatSecrets(await readCopy(file, flags)))
    })
}

interface PassphraseFlags {
  passphraseFile?: string
}

async function readCopy(file: string, flags: PassphraseFlags): Promise<CopiedSecrets> {
  const text = readFileSync(file, 'utf8')
  const passphrase = await readPassphrase(flags.passphraseFile)
  try {
    return await readKeyCopy(text, passphrase)
  } catch (cause) {
    throw new Error(`${file} ${(cause as Error).message}`, { cause })
  }
}

function report(state: KeysState) {
  print('SECRET_PEPPERS (client secrets and webhooks):')
  for (const { id, isNewest, isKnown, liveSecrets, clientApps, webhooks } of state.peppers) {
    const uses = `${count(liveSecrets, 'valid secret')} of ${count(clientApps, 'client app')}, ${count(webhooks, 'webhook')}`
    const isUsed = liveSecrets + webhooks > 0
    print(`  ${id}  ${explain({ isNewest, isKnown, isUsed })}${isUsed ? `: ${uses}` : ''}`)
    const outdated = state.outdatedSecrets.filter((app) => app.pepperId === id)
    for (const { clientId, name, isActive, lastUsedAt } of outdated) {
      const used = lastUsedAt ? `last used ${lastUsedAt}` : 'never used'
      print(`    ${clientId}  ${used}  ${name}${isActive ? '' : ' (inactive)'}`)
    }
  }
  if (state.outdatedSecrets.length > 0) {
    print('  A secret moves to the newest pepper within a minute after its next use.')
    print('  If a secret is no longer used, rotate or revoke it.')
  }
  if (state.peppers.some(({ isNewest, webhooks }) => !isNewest && webhooks > 0)) {
    print('  The service encrypts secrets of webhooks with the newest pepper within an hour.')
  }
  reportAdminKeys(state)
}

function reportAdminKeys({ adminKeys }: KeysState) {
  if (adminKeys.length === 0) return
  print("ADMIN_KEYS (operators' authenticators and recovery codes):")
  for (const { id, isNewest, isKnown, authenticators, recoveryCodes } of adminKeys) {
    const uses = `${count(authenticators, 'authenticator')}, recovery codes of ${count(recoveryCodes, 'operator')}`
    const isUsed = authenticators + recoveryCodes > 0
    print(`  ${id}  ${explain({ isNewest, isKnown, isUsed })}${isUsed ? `: ${uses}` : ''}`)
  }
  const older = adminKeys.filter(({ isNewest }) => !isNewest)
  if (older.some(({ authenticators }) => authenticators > 0)) {
    print('  To encrypt authenticators with the newest key, run: coffer keys reseal')
  }
  if (older.some(({ recoveryCodes }) => recoveryCodes > 0)) {
    print('  Recovery codes keep their key until the operator creates new ones at /admin,')
    print('  or until coffer keys reseal --drop-recovery-codes deletes them.')
  }
}

interface KeyState {
  isNewest: boolean
  isKnown: boolean
  isUsed: boolean
}

function explain({ isNewest, isKnown, isUsed }: KeyState): string {
  if (!isKnown) return 'MISSING in the configuration, still needed'
  if (isNewest) return 'newest'
  return isUsed ? 'older, still needed' : 'older, no longer needed: remove it'
}
