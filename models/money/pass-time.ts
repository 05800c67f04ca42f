/** Moves the clock to a moment at which something ends. */
import { TIME_ZONES, type CommandFields } from './commands.ts'
import { MARGIN_MS, type Run } from './run.ts'
import { findPeriod } from './spend-limit.ts'
import { passTime } from './setup.ts'

const SECOND_MS = 1_000
const QUARTER_MS = 900_000
const HOUR_MS = 3_600_000

/** To a second after something ends, or a minute before. */
export async function pass(run: Run, command: CommandFields['pass']) {
  const { to, isBefore } = command
  const wantedMs = findMoment(run, command) + (isBefore ? -MARGIN_MS : SECOND_MS)
  const endMs = passEnds(run.model, wantedMs)
  // In every time zone a day begins at a quarter of an hour.
  const isMeant = isBefore && endMs === wantedMs
  const isClose = !isMeant && endMs % QUARTER_MS > QUARTER_MS - MARGIN_MS
  const ms = endMs - Date.now() + (isClose ? 2 * MARGIN_MS : 0)
  if (ms <= 0) return
  await passTime(run.setup, Math.ceil(ms))
  run.model.nowMs = Date.now()
  run.movedAtMs = run.model.nowMs
  run.hit(`pass ${to}`)
  run.note(`time passes to ${new Date().toISOString()}`)
}

/** A moment soon after which no hold ends by itself. */
function passEnds(model: Run['model'], ms: number): number {
  const ends = model.holds().map((each) => model.findEnd(each)[0])
  const next = ends.find((each) => each > ms - SECOND_MS && each < ms + MARGIN_MS - SECOND_MS)
  return next === undefined ? ms : passEnds(model, next + SECOND_MS)
}

function findMoment({ model }: Run, { to, zone, hold, hours }: CommandFields['pass']): number {
  if (to === 'hours') return model.nowMs + hours * HOUR_MS
  if (to !== 'hold') return findPeriod(to, TIME_ZONES[zone] ?? 'UTC', model.nowMs).untilMs
  const open = model.holds().filter((each) => each.remaining > 0 && !model.isDue(each))
  const found = open.toReversed()[hold % Math.max(1, open.length)]
  return found ? model.findEnd(found)[0] : model.nowMs
}
