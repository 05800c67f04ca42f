import type { Command } from 'commander'
import { readKeys, type KeysState } from '../admin/switches/read-keys.ts'
import { compareKeys } from '../admin/switches/require-keys.ts'
import { resealSeeds } from '../admin/switches/reseal-seeds.ts'
import { ConfigError } from '../config.ts'
import { COMMAND_LINE } from './operator.ts'
import { count, print, withKeys, withService } from './with-service.ts'

/** More valid secrets than any deployment has. */
const ALL = 1_000_000

export function addKeysCommands(program: Command) {
  const command = program
    .command('keys')
    .description('show what each key still protects, and re-encrypt it with the newest key')

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
