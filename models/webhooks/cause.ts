/** What happens to people and apps, and is an event. */
import { freezeWallet } from '@coffer/contract/admin/people'
import { capture as captureEndpoint, hold as holdEndpoint } from '@coffer/contract/server/holds'
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  findLiveSecrets,
  revokeSecretNow,
  rotateSecret as rotateNow,
} from '../../server/client-app/rotate-secret.ts'
import { setOnMismatch } from '../../server/client-app/change-settings.ts'
import { inTransaction } from '../../server/database/in-transaction.ts'
import {
  NOTE_CHANGED_BALANCES,
  reportBalances as reportNow,
} from '../../server/events/feed/report-balances.ts'
import * as links from '../../server/identity/link.ts'
import { askAs } from '../../server/test/admin-setup.ts'
import { makeClientApp, makeUser } from '../../server/test/factories.ts'
import { call } from '../../server/test/setup.ts'
import { expireHolds } from '../../server/wallet/expire-holds.ts'
import type { Plan } from './commands.ts'
import * as rules from './model.ts'
import type { Scene } from './scene.ts'
import { during } from './stage.ts'

/** In minor units. */
const BALANCE = 1_000_00
const HELD = 1_25
const CAPTURED = 50
const toText = (minor: number) => (minor / 100).toFixed(2)

export async function addShop(scene: Scene, { hasNewApp, watching }: Plan) {
  const { context } = scene.stage.harness
  for (let index = 0; index < 2; index++) {
    const user = await makeUser(context, BigInt(BALANCE))
    const start = { isFrozen: false, balance: BALANCE, changedFor: new Set<rules.App>() }
    scene.people.push({ name: index, links: new Map(), user, ...start })
  }
  for (let index = 0; index < 2; index++) {
    const name = `Shop ${randomBytes(4).toString('hex')}`
    const watches = watching[index] ?? false
    const test = await makeClientApp(context, { name, getsBalanceEvents: watches })
    const app: rules.App = {
      clientId: test.clientId,
      isUsed: false,
      watches,
      hasConflicts: false,
      pending: [],
      events: [],
      secrets: new Map(),
      webhooks: [],
      grants: [],
      managed: 0,
    }
    scene.apps.push(app)
    scene.known.set(app, { test, name, cursor: undefined })
    for (const each of ['hooks0', 'hooks1']) await rotateSecret(scene, app, each, 'none')
    if (index === 0 || !hasNewApp) await link(scene, app, 0)
  }
}

export async function link(scene: Scene, app: rules.App, index: number) {
  const person = scene.person(index)
  const { context } = scene.stage.harness
  const { test } = scene.knownOf(app)
  const { result: serviceUserId, at } = await during(() =>
    links.link(context.db, test.id, person.user.id),
  )
  const known = person.links.get(app)
  if (known !== undefined) return assert.equal(serviceUserId, known)
  person.links.set(app, serviceUserId)
  app.isUsed = true
  return rules.happen(app, at, { type: 'link.created', data: { serviceUserId } })
}

export async function unlink(scene: Scene, app: rules.App, index: number) {
  const person = scene.person(index)
  const { context } = scene.stage.harness
  const { at } = await during(() =>
    links.unlink(context.db, scene.knownOf(app).test.id, person.user.id),
  )
  const serviceUserId = person.links.get(app)
  person.links.delete(app)
  person.changedFor.delete(app)
  if (serviceUserId === undefined) return
  rules.happen(app, at, { type: 'link.ended', data: { serviceUserId, reason: 'user' } })
}

export async function freeze(
  scene: Scene,
  { person: index, isSame }: { person: number; isSame: boolean },
) {
  const person = scene.person(index)
  const { harness, operators } = scene.stage
  const isFrozen = person.isFrozen === isSame
  const fields = { id: String(person.user.id), isFrozen, reason: 'Ticket 4711' }
  const who = operators[0] ?? assert.fail('there are two operators')
  const { result, at } = await during(() => askAs({ harness }, who, freezeWallet, fields))
  assert.equal(result.statusCode, 200, result.body)
  if (person.isFrozen === isFrozen) return
  person.isFrozen = isFrozen
  const type = isFrozen ? 'wallet.frozen' : 'wallet.unfrozen'
  for (const [app, serviceUserId] of person.links) {
    rules.happen(app, at, { type, data: { serviceUserId } })
  }
}

export async function hold(
  scene: Scene,
  app: rules.App,
  { person: index, seconds }: { person: number; seconds: number },
) {
  const person = scene.person(index)
  const serviceUserId = person.links.get(app)
  if (serviceUserId === undefined || person.isFrozen) return
  await scene.leaveEdges()
  const pair = { referenceType: 'HOLD', referenceId: randomUUID() }
  const fields = { serviceUserId, amount: toText(HELD), expiresInSeconds: seconds, ...pair }
  const { test } = scene.knownOf(app)
  const { result: response, at } = await during(() =>
    call({ harness: scene.stage.harness, app: test }, holdEndpoint, fields),
  )
  assert.equal(response.statusCode, 200, response.body)
  app.isUsed = true
  bookExpiries(scene, at, person)
  const expiresMs = Date.parse(response.json<{ expiresAt: string }>().expiresAt)
  scene.holds.push({ app, person, referenceId: pair.referenceId, amount: HELD, expiresMs })
  rules.changeBalance(person, app, -HELD)
}

/** Captures a part of an open hold, and releases the rest of it or keeps it. */
export async function capture(
  scene: Scene,
  { hold: place, isFinal }: { hold: number; isFinal: boolean },
) {
  await scene.leaveEdges()
  const open = scene.holds.filter(
    ({ expiresMs, amount }) => expiresMs > Date.now() && amount > CAPTURED,
  )
  const chosen = open.at(-1 - (place % Math.max(1, open.length)))
  if (chosen === undefined) return
  const { app, person } = chosen
  const of = { referenceType: 'HOLD', referenceId: chosen.referenceId }
  const pair = { referenceType: 'CAPTURE', referenceId: randomUUID() }
  const fields = { hold: of, amount: toText(CAPTURED), isFinal, ...pair }
  const { test } = scene.knownOf(app)
  const { result: response, at } = await during(() =>
    call({ harness: scene.stage.harness, app: test }, captureEndpoint, fields),
  )
  assert.equal(response.statusCode, 200, response.body)
  bookExpiries(scene, at, person)
  chosen.amount -= CAPTURED
  if (!isFinal) return
  scene.holds.splice(scene.holds.indexOf(chosen), 1)
  rules.changeBalance(person, app, chosen.amount)
}

/** Longer than a changed balance waits before it is reported. */
const REPORT_MS = 11_000

/** The jobs read all operations since the last time, and some seconds later report the balances that changed. */
export async function reportBalances(scene: Scene) {
  const { context } = scene.stage.harness
  await sleep(3)
  const period = { from: new Date(scene.readToMs), before: new Date() }
  scene.readToMs = period.before.getTime()
  await inTransaction(context.backgroundDb, (tx) => NOTE_CHANGED_BALANCES.handle(tx, period))
  await scene.stage.pass(REPORT_MS)
  const { at } = await during(() => reportNow(context.backgroundDb))
  for (const app of scene.apps) rules.reportBalances(app, scene.people, at)
}

export async function expire(scene: Scene) {
  await scene.leaveEdges()
  const { at } = await during(() => expireHolds(scene.stage.harness.context))
  bookExpiries(scene, at)
}

/** An operation on a wallet first books the expiries that are due on it. */
function bookExpiries(scene: Scene, at: rules.Span, person?: rules.Person) {
  const due = scene.holds.filter(
    (each) => each.expiresMs <= at.fromMs && (person ?? each.person) === each.person,
  )
  for (const each of due) scene.holds.splice(scene.holds.indexOf(each), 1)
  for (const [app, holds] of Map.groupBy(due, (each) => each.app)) {
    const events = holds.map(({ person: owner, referenceId, amount: minor }) => {
      const serviceUserId = owner.links.get(app)
      const amount = minor / 100
      const expired = { hold: { referenceType: 'HOLD', referenceId }, amount, currency: 'USD' }
      const data = { ...(serviceUserId !== undefined && { serviceUserId }), ...expired }
      return { type: 'hold.expired' as const, data }
    })
    rules.happen(app, at, ...events)
    scene.hit('hold.expired')
  }
  for (const { person: owner, app, amount } of due) {
    rules.changeBalance(owner, undefined, amount)
    if (amount < HELD) scene.hit('the rest of a captured hold expired')
    if (owner.changedFor.has(app)) scene.hit('an app learns the balance after its hold expired')
  }
}

export async function changeSetting(scene: Scene, app: rules.App) {
  app.hasConflicts = !app.hasConflicts
  const onMismatch = app.hasConflicts ? 'conflict' : 'replay'
  const { at } = await during(() =>
    setOnMismatch(scene.stage.harness.context.db, app.clientId, onMismatch),
  )
  rules.happen(app, at, { type: 'client_app.changed', data: { changes: ['onMismatch'] } })
}

export async function rotateSecret(
  scene: Scene,
  app: rules.App,
  name: string,
  overlap: rules.Overlap,
) {
  const { db, config } = scene.stage.harness.context
  const restriction = { name, scopes: ['webhooks:manage' as const], networks: [] }
  const tools = { db, peppers: config.peppers }
  const { result: value, at } = await during(() =>
    rotateNow(tools, app.clientId, { overlap, restriction }),
  )
  rules.rotateSecret(app, name, value, overlap, at)
}

export async function revokeSecret(
  scene: Scene,
  app: rules.App,
  { name, which }: { name: number; which: number },
) {
  const now = Date.now()
  const live = (app.secrets.get(`hooks${name}`) ?? []).filter(
    ({ isRevoked, endsMs }) => !isRevoked && endsMs > now,
  )
  const secret = live[which % Math.max(1, live.length)]
  const { db } = scene.stage.harness.context
  const shown = await findLiveSecrets(db, app.clientId)
  const named = shown.filter(({ restriction }) => restriction?.name === `hooks${name}`)
  assert.equal(named.length, live.length, 'live secrets')
  const id = named[which % Math.max(1, named.length)]?.id
  if (secret === undefined || id === undefined) return
  const { at } = await during(() => revokeSecretNow(db, app.clientId, id))
  rules.revokeSecret(app, secret, at)
}
