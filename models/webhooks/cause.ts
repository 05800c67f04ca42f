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
import type { Run } from './run.ts'
import { during } from './setup.ts'

/** In minor units. */
const BALANCE = 1_000_00
const HELD = 1_25
const CAPTURED = 50
const toText = (minor: number) => (minor / 100).toFixed(2)

export async function addShop(run: Run, { hasNewApp, watching }: Plan) {
  const { context } = run.setup.harness
  for (let index = 0; index < 2; index++) {
    const user = await makeUser(context, BigInt(BALANCE))
    const start = { isFrozen: false, balance: BALANCE, changedFor: new Set<rules.App>() }
    run.people.push({ name: index, links: new Map(), user, ...start })
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
    run.apps.push(app)
    run.known.set(app, { test, name, cursor: undefined })
    for (const each of ['hooks0', 'hooks1']) await rotateSecret(run, app, each, 'none')
    if (index === 0 || !hasNewApp) await link(run, app, 0)
  }
}

export async function link(run: Run, app: rules.App, index: number) {
  const person = run.person(index)
  const { context } = run.setup.harness
  const { test } = run.knownOf(app)
  const { result: serviceUserId, at } = await during(() =>
    links.link(context.db, test.id, person.user.id),
  )
  const known = person.links.get(app)
  if (known !== undefined) return assert.equal(serviceUserId, known)
  person.links.set(app, serviceUserId)
  app.isUsed = true
  return rules.happen(app, at, { type: 'link.created', data: { serviceUserId } })
}

export async function unlink(run: Run, app: rules.App, index: number) {
  const person = run.person(index)
  const { context } = run.setup.harness
  const { at } = await during(() =>
    links.unlink(context.db, run.knownOf(app).test.id, person.user.id),
  )
  const serviceUserId = person.links.get(app)
  person.links.delete(app)
  person.changedFor.delete(app)
  if (serviceUserId === undefined) return
  rules.happen(app, at, { type: 'link.ended', data: { serviceUserId, reason: 'user' } })
}

export async function freeze(
  run: Run,
  { person: index, isSame }: { person: number; isSame: boolean },
) {
  const person = run.person(index)
  const { harness, operators } = run.setup
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
  run: Run,
  app: rules.App,
  { person: index, seconds }: { person: number; seconds: number },
) {
  const person = run.person(index)
  const serviceUserId = person.links.get(app)
  if (serviceUserId === undefined || person.isFrozen) return
  await run.avoidBoundaries()
  const pair = { referenceType: 'HOLD', referenceId: randomUUID() }
  const fields = { serviceUserId, amount: toText(HELD), expiresInSeconds: seconds, ...pair }
  const { test } = run.knownOf(app)
  const { result: response, at } = await during(() =>
    call({ harness: run.setup.harness, app: test }, holdEndpoint, fields),
  )
  assert.equal(response.statusCode, 200, response.body)
  app.isUsed = true
  bookExpiries(run, at, person)
  const expiresMs = Date.parse(response.json<{ expiresAt: string }>().expiresAt)
  run.holds.push({ app, person, referenceId: pair.referenceId, amount: HELD, expiresMs })
  rules.changeBalance(person, app, -HELD)
}

/** Captures a part of an open hold, and releases the rest of it or keeps it. */
export async function capture(
  run: Run,
  { hold: position, isFinal }: { hold: number; isFinal: boolean },
) {
  await run.avoidBoundaries()
  const open = run.holds.filter(
    ({ expiresMs, amount }) => expiresMs > Date.now() && amount > CAPTURED,
  )
  const chosen = open.at(-1 - (position % Math.max(1, open.length)))
  if (chosen === undefined) return
  const { app, person } = chosen
  const of = { referenceType: 'HOLD', referenceId: chosen.referenceId }
  const pair = { referenceType: 'CAPTURE', referenceId: randomUUID() }
  const fields = { hold: of, amount: toText(CAPTURED), isFinal, ...pair }
  const { test } = run.knownOf(app)
  const { result: response, at } = await during(() =>
    call({ harness: run.setup.harness, app: test }, captureEndpoint, fields),
  )
  assert.equal(response.statusCode, 200, response.body)
  bookExpiries(run, at, person)
  chosen.amount -= CAPTURED
  if (!isFinal) return
  run.holds.splice(run.holds.indexOf(chosen), 1)
  rules.changeBalance(person, app, chosen.amount)
}

/** Longer than a changed balance waits before it is reported. */
const REPORT_MS = 11_000

/** The jobs read all operations since the last time, and some seconds later report the balances that changed. */
export async function reportBalances(run: Run) {
  const { context } = run.setup.harness
  await sleep(3)
  const period = { from: new Date(run.readToMs), before: new Date() }
  run.readToMs = period.before.getTime()
  await inTransaction(context.backgroundDb, (tx) => NOTE_CHANGED_BALANCES.handle(tx, period))
  await run.setup.pass(REPORT_MS)
  const { at } = await during(() => reportNow(context.backgroundDb))
  for (const app of run.apps) rules.reportBalances(app, run.people, at)
}

export async function expire(run: Run) {
  await run.avoidBoundaries()
  const { at } = await during(() => expireHolds(run.setup.harness.context))
  bookExpiries(run, at)
}

/** An operation on a wallet first books the expiries that are due on it. */
function bookExpiries(run: Run, at: rules.Span, person?: rules.Person) {
  const due = run.holds.filter(
    (each) => each.expiresMs <= at.fromMs && (person ?? each.person) === each.person,
  )
  for (const each of due) run.holds.splice(run.holds.indexOf(each), 1)
  for (const [app, holds] of Map.groupBy(due, (each) => each.app)) {
    const events = holds.map(({ person: owner, referenceId, amount: minor }) => {
      const serviceUserId = owner.links.get(app)
      const amount = minor / 100
      const expired = { hold: { referenceType: 'HOLD', referenceId }, amount, currency: 'USD' }
      const data = { ...(serviceUserId !== undefined && { serviceUserId }), ...expired }
      return { type: 'hold.expired' as const, data }
    })
    rules.happen(app, at, ...events)
    run.hit('hold.expired')
  }
  for (const { person: owner, app, amount } of due) {
    rules.changeBalance(owner, undefined, amount)
    if (amount < HELD) run.hit('the rest of a captured hold expired')
    if (owner.changedFor.has(app)) run.hit('an app learns the balance after its hold expired')
  }
}

export async function changeSetting(run: Run, app: rules.App) {
  app.hasConflicts = !app.hasConflicts
  const onMismatch = app.hasConflicts ? 'conflict' : 'replay'
  const { at } = await during(() =>
    setOnMismatch(run.setup.harness.context.db, app.clientId, onMismatch),
  )
  rules.happen(app, at, { type: 'client_app.changed', data: { changes: ['onMismatch'] } })
}

export async function rotateSecret(run: Run, app: rules.App, name: string, overlap: rules.Overlap) {
  const { db, config } = run.setup.harness.context
  const restriction = { name, scopes: ['webhooks:manage' as const], networks: [] }
  const tools = { db, peppers: config.peppers }
  const { result: value, at } = await during(() =>
    rotateNow(tools, app.clientId, { overlap, restriction }),
  )
  rules.rotateSecret(app, name, value, overlap, at)
}

export async function revokeSecret(
  run: Run,
  app: rules.App,
  { name, which }: { name: number; which: number },
) {
  const now = Date.now()
  const live = (app.secrets.get(`hooks${name}`) ?? []).filter(
    ({ isRevoked, endsMs }) => !isRevoked && endsMs > now,
  )
  const secret = live[which % Math.max(1, live.length)]
  const { db } = run.setup.harness.context
  const shown = await findLiveSecrets(db, app.clientId)
  const named = shown.filter(({ restriction }) => restriction?.name === `hooks${name}`)
  assert.equal(named.length, live.length, 'live secrets')
  const id = named[which % Math.max(1, named.length)]?.id
  if (secret === undefined || id === undefined) return
  const { at } = await during(() => revokeSecretNow(db, app.clientId, id))
  rules.revokeSecret(app, secret, at)
}
