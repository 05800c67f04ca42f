/** Plays one plan on the service and on the model, and compares every response. */
import * as cause from './cause.ts'
import type { Command, Plan } from './commands.ts'
import * as deliver from './deliver.ts'
import * as manage from './manage.ts'
import type { App } from './model.ts'
import { Run } from './run.ts'
import type { Setup } from './setup.ts'
import * as view from './view.ts'

/** The commands of a type that can have this name. */
type Of<Each, Name> = Each extends { do: infer Names } ? (Name extends Names ? Each : never) : never
type Perform = { [Name in Command['do']]: (run: Run, command: Of<Command, Name>) => unknown }

const appOf = (run: Run, command: { app: number }): App => run.app(command.app)

const PERFORM: Perform = {
  link: (run, command) => cause.link(run, appOf(run, command), command.person),
  unlink: (run, command) => cause.unlink(run, appOf(run, command), command.person),
  freeze: cause.freeze,
  hold: (run, command) => cause.hold(run, appOf(run, command), command),
  expire: cause.expire,
  capture: cause.capture,
  balances: cause.reportBalances,
  set: (run, command) => cause.changeSetting(run, appOf(run, command)),
  rotateSecret: (run, command) =>
    cause.rotateSecret(run, appOf(run, command), `hooks${command.name}`, command.overlap),
  revokeSecret: (run, command) => cause.revokeSecret(run, appOf(run, command), command),
  create: manage.createAs,
  change: (run, command) => manage.changeWebhook(run, appOf(run, command), command),
  delete: (run, command) => manage.remove(run, appOf(run, command), command),
  rotate: (run, command) => manage.rotate(run, appOf(run, command), command),
  test: (run, command) => manage.sendTest(run, appOf(run, command), command),
  enableAgain: (run, command) => manage.enableAgain(run, appOf(run, command), command),
  resend: (run, command) => manage.resendEvents(run, appOf(run, command), command),
  approve: (run, command) => manage.approve(run, appOf(run, command), command),
  fill: (run, command) => manage.fill(run, appOf(run, command)),
  reachLimit: (run, command) => manage.reachLimit(run, appOf(run, command)),
  project: deliver.project,
  wait: (run, command) => deliver.waitForEvent(run, appOf(run, command)),
  deliver: deliver.deliver,
  crash: deliver.crash,
  pass: (run, command) => run.pass(command.ms),
  answer: (run, command) => run.answer(command.receiver, command.answers),
  expireEvents: (run, command) => deliver.expireEvents(run, appOf(run, command)),
  failForDays: (run, command) => deliver.failForDays(run, appOf(run, command), command.answer),
  failAllAttempts: (run, command) =>
    deliver.failAllAttempts(run, appOf(run, command), command.answer),
  drain: deliver.drain,
  feed: (run, command) => view.lookAtFeed(run, appOf(run, command), command),
  cursor: (run, command) => view.tryCursor(run, appOf(run, command), command),
  look: (run, command) => view.lookAround(run, appOf(run, command), command),
}

export async function play(
  setup: Setup,
  plan: Plan,
  { hit, note }: Record<'hit' | 'note', (text: string) => void>,
) {
  const { omitted, answers, webhooks, commands } = plan
  const run = new Run(setup, hit)
  const first = webhooks.map((each) => ({ do: 'create' as const, ...each }))
  const chosen = commands.filter((command) => !omitted.includes(command.do))
  try {
    await cause.addShop(run, plan)
    for (const [receiver, each] of answers.entries()) run.answer(receiver, each)
    for (const command of [...first, ...chosen]) {
      if (run.isOverLong()) break
      note(JSON.stringify(command))
      await (PERFORM[command.do] as (run: Run, command: Command) => unknown)(run, command)
      hit(command.do)
    }
    note('the end')
    await cause.reportBalances(run)
    await deliver.project(run)
    for (const app of run.apps) await view.lookAtAll(run, app)
  } finally {
    await setup.harness.admin.query(
      'update events.webhooks set deleted_at = now() where deleted_at is null',
    )
  }
}
