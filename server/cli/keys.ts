import type { Command } from 'commander'
import { readKeys, type KeysState } from '../admin/switches/read-keys.ts'
import { resealSeeds } from '../admin/switches/reseal-seeds.ts'
import { ConfigError } from '../config.ts'
import { COMMAND_LINE } from './operator.ts'
import { say, withService } from './with-service.ts'

/** More live secrets than anybody has. */
const ALL = 1_000_000

export function addKeysCommands(program: Command) {
  const command = program
    .command('keys')
    .description('see what hangs on which pepper and key, and move it to the newest')

  command
    .command('status')
    .description('what hangs on which key of SECRET_PEPPERS and ADMIN_KEYS')
    .action(() => withService(async (tools) => report(await readKeys(tools, ALL))))

  command
    .command('reseal')
    .description("seal the operators' authenticators with the newest key of ADMIN_KEYS")
    .option(
      '--drop-recovery-codes',
      'remove recovery codes that hang on an older key; who loses the authenticator then needs an owner',
    )
    .action(({ dropRecoveryCodes = false }: { dropRecoveryCodes?: boolean }) =>
      withService(async ({ db, config }) => {
        const { adminKeys: keys } = config
        if (keys === undefined)
          throw new ConfigError('ADMIN_KEYS is missing, so nothing is sealed.')
        const { seeds, dropped } = await resealSeeds({ db, keys }, COMMAND_LINE, {
          dropRecoveryCodes,
        })
        say(`${count(seeds, 'authenticator')} sealed anew with ${keys[0].id}.`)
        if (dropRecoveryCodes) say(`Recovery codes of ${count(dropped, 'operator')} removed.`)
        reportAdminKeys(await readKeys({ db, config }))
      }),
    )
}

function report(state: KeysState) {
  say('SECRET_PEPPERS, which client secrets are hashed with:')
  for (const { id, isNewest, isKnown, liveSecrets, clientApps } of state.peppers) {
    const uses = `${count(liveSecrets, 'live secret')} of ${count(clientApps, 'client app')}`
    const isUsed = liveSecrets > 0
    say(`  ${id}  ${explain({ isNewest, isKnown, isUsed })}${isUsed ? `: ${uses}` : ''}`)
    const behind = state.behind.filter((app) => app.pepperId === id)
    for (const { clientId, name, isActive, lastUsedAt } of behind) {
      const used = lastUsedAt ? `last used ${lastUsedAt}` : 'never used'
      say(`    ${clientId}  ${used}  ${name}${isActive ? '' : ' (inactive)'}`)
    }
  }
  if (state.behind.length > 0) {
    say('  A secret moves to the newest pepper within a minute of its next use.')
    say('  One that is not used any more: rotate it, or revoke it.')
  }
  reportAdminKeys(state)
}

function reportAdminKeys({ adminKeys }: KeysState) {
  if (adminKeys.length === 0) return
  say("ADMIN_KEYS, which the operators' authenticators are sealed with:")
  for (const { id, isNewest, isKnown, authenticators, recoveryCodes } of adminKeys) {
    const uses = `${count(authenticators, 'authenticator')}, recovery codes of ${count(recoveryCodes, 'operator')}`
    const isUsed = authenticators + recoveryCodes > 0
    say(`  ${id}  ${explain({ isNewest, isKnown, isUsed })}${isUsed ? `: ${uses}` : ''}`)
  }
  const older = adminKeys.filter(({ isNewest }) => !isNewest)
  if (older.some(({ authenticators }) => authenticators > 0)) {
    say('  Seal authenticators with the newest key: coffer keys reseal')
  }
  if (older.some(({ recoveryCodes }) => recoveryCodes > 0)) {
    say('  Recovery codes stay with their key until the operator makes new ones at /admin,')
    say('  or coffer keys reseal --drop-recovery-codes removes them.')
  }
}

interface Standing {
  isNewest: boolean
  isKnown: boolean
  isUsed: boolean
}

function explain({ isNewest, isKnown, isUsed }: Standing): string {
  if (!isKnown) return 'MISSING in the configuration, and still needed'
  if (isNewest) return 'newest'
  return isUsed ? 'older, and still needed' : 'older, not needed any more: remove it'
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
