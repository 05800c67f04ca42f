import { REASON_MIN } from '@coffer/contract/limits'
import { reason as reasonShape } from '@coffer/contract/shapes'
import { InvalidArgumentError, type Command } from 'commander'
import { switchWrites } from '../admin/switches/pause-writes.ts'
import { recordAction } from '../admin/record-action.ts'
import { COMMAND_LINE } from './operator.ts'
import { say, withService, type Tools } from './with-service.ts'

/** For whoever has a shell and no /admin. */
export function addPauseCommands(program: Command) {
  program
    .command('pause <reason>')
    .description('pause all writes: debits, credits and new top-ups are answered with 503')
    .action((reason: string) =>
      withService(async (tools) => {
        if (!reasonShape.safeParse(reason).success) {
          throw new InvalidArgumentError(`Say why, with at least ${REASON_MIN} characters.`)
        }
        await set(tools, { by: COMMAND_LINE.actor, reason })
        say('All writes are paused. Reads go on. Resume them with: coffer resume')
      }),
    )
  program
    .command('resume')
    .description('let writes go on')
    .action(() =>
      withService(async (tools) => {
        const wasPaused = await set(tools, null)
        say(wasPaused ? 'Writes go on.' : 'Writes were not paused.')
      }),
    )
}

function set({ db, ledger }: Tools, pause: { by: string; reason: string } | null) {
  return switchWrites(ledger, pause, (action) => recordAction(db, COMMAND_LINE, action))
}
