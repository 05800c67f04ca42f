/** Plays a plan on the service and on the model. */
import { allow, bookExpiries, release, suspend } from './act-on-holds.ts'
import { close, freeze, link, postOnLedger, postOwn, setLimit, unlink } from './act-on-wallets.ts'
import type { Command, CommandFields, CommandName } from './commands.ts'
import { compareAll } from './compare-all.ts'
import { compareWallets, readWallets } from './compare-wallets.ts'
import { reportBalances } from './jobs.ts'
import { pass } from './pass-time.ts'
import type { Run } from './run.ts'
import { fill, send, sendAtOnce, sendBatch, sendWhilePaused } from './send.ts'
import { BALANCE_MAX } from './state.ts'

type Act<Fields> = (run: Run, fields: Fields) => Promise<void>

const ACTS: { [Name in CommandName]: Act<CommandFields[Name]> } = {
  send: (run, { app, intent, isRestricted }) => send(run, run.model.app(app), intent, isRestricted),
  batch: (run, { app, intents, isRestricted }) =>
    sendBatch(run, run.model.app(app), intents, isRestricted),
  race: (run, { app, intents }) => sendAtOnce(run, run.model.app(app), intents),
  pause: sendWhilePaused,
  fill,
  'post own': postOwn,
  freeze,
  link,
  unlink,
  limit: setLimit,
  close,
  release,
  suspend,
  allow,
  pass,
  'expire holds': bookExpiries,
  'report balances': reportBalances,
  compare: compareAll,
}

export async function play(run: Run) {
  await prepare(run)
  const { commands, reader } = run.plan
  for (const [at, command] of commands.entries()) {
    if (run.isTooSlow) return
    // A closed wallet ends most of what can happen.
    if (command.do !== 'close' || at > 0.6 * commands.length) await execute(run, command)
  }
  if (run.isTooSlow) return
  run.model.nowMs = Date.now()
  if (reader % 4 === 0) await closeFirst(run)
  // The views take longer than the commands, and their bugs show in a few plans.
  if (reader % 2 === 0) await compareAll(run)
  else compareWallets(run, await readWallets(run))
}

/** Two apps and two people; one app has no link to the second person. */
async function prepare(run: Run) {
  const { model, plan } = run
  model.nowMs = Date.now()
  run.note(`starts at ${new Date().toISOString()}`)
  for (const each of plan.apps) await run.addApp(each)
  for (const index of [0, 1]) {
    await run.addPerson()
    const amount = plan.isRich ? BALANCE_MAX - 100 : 100
    await postOnLedger(run, model.wallet(index), 'bonus', amount)
  }
  await link(run, { app: 0, wallet: 0 })
  await link(run, { app: 0, wallet: 1 })
  await link(run, { app: 1, wallet: 0 })
}

async function execute(run: Run, command: Command) {
  const { without, isOneWallet, isOneApp, limitOf } = run.plan.focus
  if (without.includes(command.do)) return
  const fields = {
    ...command,
    ...('app' in command && isOneApp && { app: 0 }),
    ...('wallet' in command && isOneWallet && { wallet: 0 }),
    ...(limitOf && focusOnLimit(limitOf, command)),
  }
  run.model.nowMs = Date.now()
  const act = ACTS[command.do] as Act<object>
  await act(run, fields)
}

/** Each limit has one maximum, and days pass, to the last one of its period and to the next period. */
function focusOnLimit(period: 'week' | 'month', command: Command): Partial<Command> {
  if (command.do === 'pass') {
    const isLong = command.to === 'week' || command.to === 'month' || command.to === 'hours'
    return isLong ? { to: period, isBefore: command.hours % 2 === 0 } : {}
  }
  if (command.do !== 'limit') return {}
  const max = command.limit.maxes.find((each) => each !== undefined)
  const [week, month] = period === 'week' ? [max] : [undefined, max]
  const maxes = [undefined, undefined, week, month]
  return { limit: { ...command.limit, changes: 'all', lastDay: 'none', maxes } }
}

/** Closes a wallet and refunds to it. */
async function closeFirst(run: Run) {
  await close(run, { wallet: 0 })
  const about = { target: 0, targetOf: 'open', again: null, repeats: 'new' } as const
  const values = { isFinal: undefined, seconds: undefined, description: 'Tea' }
  const user = { wallet: 0, user: 'live', amount: { of: 'none' } } as const
  const intent = { type: 'refund', ...user, ...about, ...values, metadata: { late: '1' } } as const
  for (const app of run.model.apps) await send(run, app, intent)
}
