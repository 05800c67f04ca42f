import { REASON_MIN } from '@coffer/contract/limits'
import { reason as reasonShape } from '@coffer/contract/shapes'
import { InvalidArgumentError, type Command } from 'commander'
import { switchWrites } from '../admin/switches/pause-writes.ts'
import { recordAction } from '../admin/record-action.ts'
import { COMMAND_LINE } from './operator.ts'
import { print, withService, type Tools } from './with-service.ts'

/** For operators who have a shell but no access to /admin. */
export function addPauseCommands(program: Command) {
  program
    .command('pause <reason>')
    .description('pause all writes: debits, credits and new top-ups return 503')
    .action((reason: string) =>
      withService(async (tools) => {
        if (!reasonShape.safeParse(reason).success) {
          throw new InvalidArgumentError(`The reason must have at least ${REASON_MIN} characters.`)
        }
        await set(tools, { by: COMMAND_LINE.actor, reason })
        print('All writes are paused. Reads continue. Resume writes with: coffer resume')
      }),
    )
  program
    .command('resume')
    .description('resume writes')
    .action(() =>
      withService(async (tools) => {
        const wasPaused = await set(tools, null)
        print(wasPaused ? 'Writes resumed.' : 'Writes were not paused.')
      }),
    )
}

function set(tools: Tools, pause: { by: string; reason: string } | null) {
  return switchWrites(tools, pause, (tx, action) => recordAction(tx, COMMAND_LINE, action))
}
