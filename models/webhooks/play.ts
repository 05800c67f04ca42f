/** Plays one plan on the service and on the model, and compares every response. */
import * as cause from './cause.ts'
import type { Command, Plan } from './commands.ts'
import * as deliver from './deliver.ts'
import * as manage from './manage.ts'
import type { App } from './model.ts'
import { Scene } from './scene.ts'
import type { Stage } from './stage.ts'
import * as view from './view.ts'

/** The commands of a type that can have this name. */
type Of<Each, Name> = Each extends { do: infer Names } ? (Name extends Names ? Each : never) : never
type Perform = { [Name in Command['do']]: (scene: Scene, command: Of<Command, Name>) => unknown }

const appOf = (scene: Scene, command: { app: number }): App => scene.app(command.app)

const PERFORM: Perform = {
  link: (scene, command) => cause.link(scene, appOf(scene, command), command.person),
  unlink: (scene, command) => cause.unlink(scene, appOf(scene, command), command.person),
  freeze: cause.freeze,
  hold: (scene, command) => cause.hold(scene, appOf(scene, command), command),
  expire: cause.expire,
  capture: cause.capture,
  balances: cause.reportBalances,
  set: (scene, command) => cause.changeSetting(scene, appOf(scene, command)),
  rotateSecret: (scene, command) =>
    cause.rotateSecret(scene, appOf(scene, command), `hooks${command.name}`, command.overlap),
  revokeSecret: (scene, command) => cause.revokeSecret(scene, appOf(scene, command), command),
  create: manage.createAs,
  change: (scene, command) => manage.changeWebhook(scene, appOf(scene, command), command),
  delete: (scene, command) => manage.remove(scene, appOf(scene, command), command),
  rotate: (scene, command) => manage.rotate(scene, appOf(scene, command), command),
  test: (scene, command) => manage.sendTest(scene, appOf(scene, command), command),
  revive: (scene, command) => manage.revive(scene, appOf(scene, command), command),
  resend: (scene, command) => manage.resendEvents(scene, appOf(scene, command), command),
  approve: (scene, command) => manage.approve(scene, appOf(scene, command), command),
  fill: (scene, command) => manage.fill(scene, appOf(scene, command)),
  burst: (scene, command) => manage.burst(scene, appOf(scene, command)),
  project: deliver.project,
  wait: (scene, command) => deliver.waitForEvent(scene, appOf(scene, command)),
  deliver: deliver.deliver,
  crash: deliver.crash,
  pass: (scene, command) => scene.pass(command.ms),
  answer: (scene, command) => scene.answer(command.receiver, command.answers),
  outlive: (scene, command) => deliver.outlive(scene, appOf(scene, command)),
  suffer: (scene, command) => deliver.suffer(scene, appOf(scene, command), command.answer),
  exhaust: (scene, command) => deliver.exhaust(scene, appOf(scene, command), command.answer),
  drain: deliver.drain,
  feed: (scene, command) => view.lookAtFeed(scene, appOf(scene, command), command),
  cursor: (scene, command) => view.tryCursor(scene, appOf(scene, command), command),
  look: (scene, command) => view.lookAround(scene, appOf(scene, command), command),
}

export async function play(
  stage: Stage,
  plan: Plan,
  { hit, note }: Record<'hit' | 'note', (text: string) => void>,
) {
  const { omitted, answers, webhooks, commands } = plan
  const scene = new Scene(stage, hit)
  const first = webhooks.map((each) => ({ do: 'create' as const, ...each }))
  const chosen = commands.filter((command) => !omitted.includes(command.do))
  try {
    await cause.addShop(scene, plan)
    for (const [receiver, each] of answers.entries()) scene.answer(receiver, each)
    for (const command of [...first, ...chosen]) {
      if (scene.isOverLong()) break
      note(JSON.stringify(command))
      await (PERFORM[command.do] as (scene: Scene, command: Command) => unknown)(scene, command)
      hit(command.do)
    }
    note('the end')
    await cause.reportBalances(scene)
    await deliver.project(scene)
    for (const app of scene.apps) await view.lookAtAll(scene, app)
  } finally {
    await stage.harness.admin.query(
      'update events.webhooks set deleted_at = now() where deleted_at is null',
    )
  }
}
