/** Turns the commands of a plan into calls of operators and other events. */
import * as signIn from '@coffer/contract/admin/sign-in'
import * as apps from './apps.ts'
import * as grants from './decide.ts'
import * as model from './model.ts'
import { release } from '@coffer/contract/server/holds'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { TOTP, URI } from 'otpauth'
import { runMaintenance } from '../../server/run-maintenance.ts'
import { ask, cookieOf } from '../../server/test/account-setup.ts'
import { inventEmail } from '../../server/test/sign-in.ts'
import { call as callAsApp } from '../../server/test/setup.ts'
import { expireHolds as bookExpiredHolds } from '../../server/wallet/expire-holds.ts'
import type { Amount, Command, Decision, Concurrent, SettingsChoice } from './commands.ts'
import { look } from './look.ts'
import { at, pick, refuse, type Settings, toText } from './model.ts'
import { ENDPOINT_NAMES, RULES } from './roles.ts'
import { type Call, confirm, type Run, type Sent } from './run.ts'

export async function execute(run: Run, command: Command): Promise<void> {
  const { state, plan } = run
  if (plan.without.includes(command.do)) return
  state.step++
  switch (command.do) {
    case 'pass':
      return passTime(run, command.ms)
    case 'together':
      return together(run, command.first, command.second)
    case 'roles':
      return callWithNothing(run, command)
    case 'confirm':
      return confirmAs(run, command.who, command.means)
    case 'logIn':
      return logInByCode(run, whoAt(run, command.who))
    case 'logOut':
      return logOut(run, whoAt(run, command.who))
    case 'hold':
      return placeHold(run, command)
    case 'endHold':
      return endHold(run, command.hold)
    case 'link':
      return linkApp(run, command.app)
    case 'finish':
      return finish(run)
    case 'look':
      return look(run, whoAt(run, command.who))
    case 'propose':
    case 'release':
    case 'approve':
    case 'decline':
    case 'limit':
    case 'settings':
    case 'register':
    case 'rotate':
    case 'hook':
    case 'unhook':
    case 'create':
    case 'change':
    case 'activate':
    case 'revoke':
    case 'freeze':
    case 'pause':
    case 'erase':
      return callOne(run, command)
  }
}

type Acting = Exclude<
  Command,
  {
    do:
      | 'pass'
      | 'together'
      | 'roles'
      | 'confirm'
      | 'logIn'
      | 'logOut'
      | 'hold'
      | 'endHold'
      | 'link'
      | 'finish'
      | 'look'
  }
>

function whoAt({ state }: Run, position: number): number {
  return position % state.operators.length
}

function positionOf(items: readonly unknown[], position: number): number {
  return position % items.length
}

/** Counted from the newest. */
function recentOf<Item>(items: readonly Item[], position: number): Item | undefined {
  return pick(items.toReversed(), position)
}

async function callOne(run: Run, command: Acting) {
  const made = toCall(run, command)
  if (made === undefined) return
  const target = command.do === 'change' ? targetOf(run, command) : undefined
  if (command.isReady) await run.makeReady(made.who)
  await run.call(made)
  // Whether the login of the operator goes on.
  if (target !== undefined) await run.callWithNothing(target, 'readOperator')
}

/** Half of the time it is the proposer of what waits. */
function targetOf(run: Run, { isProposer, target }: Of<'change'>): number {
  const open = run.state.grants.findLast(({ status }) => status === 'open')
  return (isProposer ? open?.proposer : undefined) ?? whoAt(run, target)
}

async function together(run: Run, first: Decision, second: Concurrent) {
  const calls: Call[] = []
  for (const command of [first, second]) {
    if (run.plan.without.includes(command.do)) return
    const made = toCall(run, { ...command, ...('loss' in command && { loss: null }) })
    if (made === undefined) return
    await run.makeReady(made.who)
    calls.push(made)
  }
  await run.race([at(calls, 0), at(calls, 1)])
}

/** undefined: there is nothing that the command could name. */
function toCall(run: Run, command: Acting): Call | undefined {
  switch (command.do) {
    case 'propose':
      return toProposal(run, command)
    case 'release':
      return toRelease(run, command)
    case 'approve':
    case 'decline':
      return toDecision(run, command)
    case 'limit':
    case 'settings':
      return toAppChange(run, command)
    case 'register':
      return toRegistration(run, command)
    case 'rotate':
      return toRotation(run, command)
    case 'hook':
    case 'unhook':
      return toWebhookCall(run, command)
    case 'create':
    case 'change':
      return toOperatorCall(run, command)
    case 'activate':
    case 'revoke':
      return toAppSwitch(run, command)
    case 'freeze':
    case 'pause':
    case 'erase':
      return toSwitch(run, command)
  }
}

type Of<Do extends Command['do']> = Extract<Command, { do: Do }>

/** The text that is sent, and the amount in minor units; null: it is none. */
function toAmount(
  { state }: Run,
  amount: Amount,
  about: { who: number; balance?: number; limit?: number | null },
): { text: string; minor: number | null } {
  if (amount.of === 'text') return { text: amount.text, minor: amount.text === '0' ? 0 : null }
  const { balance = 0, limit = 0 } = about
  const limits = {
    left: () => grants.leftFor(state, about.who),
    threshold: () => model.THRESHOLD,
    balance: () => balance,
    headroom: () => model.BALANCE_MAX - balance,
    limit: () => limit ?? 0,
  }
  const minor = amount.of === 'small' ? amount.value : limits[amount.of]() + amount.plus
  return { text: toText(minor), minor: minor < 0 || minor > AMOUNT_MAX ? null : minor }
}

/** Of one request. */
const AMOUNT_MAX = 99_999_999_999

function send(run: Run, sent: Sent, loss: grants.Loss): Call {
  const { who } = sent
  run.sent.push(sent)
  const { id, reason, person } = sent.given
  const personId = at(run.state.people, person).id
  if (sent.name === 'proposeGrant') {
    const { kind } = sent.given
    return {
      who,
      name: sent.name,
      loss,
      fields: { id, personId, kind, amount: sent.text, reason },
      expect: (state) => grants.proposeGrant(state, who, sent.given, loss),
    }
  }
  const hold = at(run.state.holds, sent.given.hold).id
  return {
    who,
    name: sent.name,
    loss,
    fields: { id, personId, hold, reason },
    expect: (state) => grants.releaseHold(state, who, sent.given, loss),
  }
}

function toProposal(run: Run, command: Of<'propose'>): Call {
  const { state, sent } = run
  const { kind, amount, again, changed, loss } = command
  const who = whoAt(run, command.who)
  const person = positionOf(state.people, command.person)
  const earlier =
    again === null
      ? undefined
      : recentOf(
          sent.filter((each) => each.name === 'proposeGrant'),
          again,
        )
  if (earlier === undefined) {
    const { text, minor } = toAmount(run, amount, {
      who,
      balance: at(state.people, person).balance,
    })
    const given = { id: randomUUID(), person, kind, amount: minor, reason: 'Paid twice' }
    return send(run, { who, name: 'proposeGrant', given, text }, loss)
  }
  const other = { ...earlier, given: { ...earlier.given } }
  if (changed === 'who') other.who = who
  if (changed === 'person') other.given.person = person
  if (changed === 'kind') other.given.kind = kind
  if (changed === 'reason') other.given.reason = 'Another reason'
  if (changed === 'amount' && earlier.given.amount !== null) {
    other.given.amount = earlier.given.amount + 1
    other.text = toText(other.given.amount)
  }
  return send(run, other, loss)
}

function toRelease(run: Run, command: Of<'release'>): Call | undefined {
  const { state, sent } = run
  const { again, changed, loss, isMistaken } = command
  if (state.holds.length === 0) return undefined
  const who = whoAt(run, command.who)
  const hold = state.holds.length - 1 - positionOf(state.holds, command.hold)
  const earlier =
    again === null
      ? undefined
      : recentOf(
          sent.filter((each) => each.name === 'releaseHold'),
          again,
        )
  if (earlier === undefined) {
    const owner = at(state.holds, hold).person
    const person = isMistaken ? (owner + 1) % state.people.length : owner
    const given = { id: randomUUID(), person, hold, reason: 'The app is gone' }
    return send(run, { who, name: 'releaseHold', given }, loss)
  }
  const other = { ...earlier, given: { ...earlier.given } }
  if (changed === 'who') other.who = who
  if (changed === 'reason') other.given.reason = 'Another reason'
  return send(run, other, loss)
}

function toDecision(run: Run, command: Of<'approve'> | Of<'decline'>): Call | undefined {
  const { state } = run
  const open = state.grants.filter(({ status }) => status === 'open')
  if (command.of === 'open' && open.length === 0) return undefined
  const grant = recentOf(command.of === 'open' ? open : state.grants, command.grant)
  let who = whoAt(run, command.who)
  if (command.do === 'approve' && command.isFitting && grant) {
    const fitting = pick(model.approversFor(state, grant.proposer), command.who)
    if (fitting !== undefined) who = state.operators.findIndex(({ email }) => email === fitting)
  }
  const position = grant && state.grants.indexOf(grant)
  const id = grant?.id ?? randomUUID()
  if (command.do === 'decline') {
    const reason = 'Not agreed'
    return {
      who,
      name: 'declineGrant',
      about: grant?.kind,
      fields: { id, reason },
      expect: (now) =>
        position === undefined
          ? refuse('NOT_FOUND')
          : grants.declineGrant(now, who, position, reason),
    }
  }
  const { loss } = command
  return {
    who,
    name: 'approveGrant',
    about: grant?.kind,
    fields: { id },
    loss,
    expect: (now) =>
      position === undefined ? refuse('NOT_FOUND') : grants.approveGrant(now, who, position, loss),
  }
}

// Apps

function toSettings(run: Run, name: string, choice: SettingsChoice): Settings {
  const { scopes, origins, parents, contacts } = choice
  return {
    name,
    scopes,
    allowedOrigins: origins.map((each) => run.originAt(each)),
    allowedIframeParents: parents.map((each) => run.originAt(each)),
    contactEmails: contacts.map((each) => `developer${each}@example.com`),
  }
}

function toAppChange(run: Run, command: Of<'limit'> | Of<'settings'>): Call {
  const app = positionOf(run.state.apps, command.app)
  const who = whoAt(run, command.who)
  const { clientId, settings, creditLimit } = at(run.state.apps, app)
  const wanted =
    command.do === 'settings'
      ? toSettings(run, `${settings.name.slice(0, 20)}+`, command.choice)
      : structuredClone(settings)
  const limit =
    command.amount === null ? undefined : toAmount(run, command.amount, { who, limit: creditLimit })
  const fields = { clientId, ...wanted, accentColor: null, creditLimit: limit?.text }
  return {
    who,
    name: 'changeClientApp',
    fields,
    expect: (state) => apps.changeApp(state, who, app, structuredClone(wanted), limit?.minor),
  }
}

function toRegistration(run: Run, command: Of<'register'>): Call {
  const who = whoAt(run, command.who)
  const settings = toSettings(run, 'Registered shop', command.choice)
  const limit = command.amount === null ? undefined : toAmount(run, command.amount, { who })
  const creditLimit = limit === undefined ? 'unlimited' : limit.text
  const minor = limit === undefined ? 'unlimited' : limit.minor
  return {
    who,
    name: 'createClientApp',
    fields: { ...settings, accentColor: null, creditLimit },
    expect: (state) => apps.registerApp(state, who, structuredClone(settings), minor),
    learn({ clientId }) {
      const { state } = run
      at(state.apps, state.apps.length - 1).clientId = String(clientId)
      for (const entry of state.audit) if (entry.subject === '') entry.subject = String(clientId)
    },
  }
}

function toRotation(run: Run, command: Of<'rotate'>): Call {
  const { state } = run
  const { overlap } = command
  const before = state.grants.findLast(({ change }) => change?.rotation)
  const followed = command.follows ? before : undefined
  const who = followed?.proposer ?? whoAt(run, command.who)
  const app = followed?.app ?? positionOf(state.apps, command.app)
  return {
    who,
    name: 'rotateClientSecret',
    about: followed?.status,
    fields: { clientId: at(state.apps, app).clientId, overlap },
    expect: (now) => apps.rotateSecret(now, who, app, overlap),
  }
}

function toAppSwitch(run: Run, command: Of<'activate'> | Of<'revoke'>): Call {
  const { state } = run
  const who = whoAt(run, command.who)
  const app = positionOf(state.apps, command.app)
  const { clientId, secrets } = at(state.apps, app)
  if (command.do === 'activate') {
    const { isActive } = command
    return {
      who,
      name: 'activateClientApp',
      fields: { clientId, isActive },
      expect: (now) => apps.activateApp(now, who, app, isActive),
    }
  }
  const secretId = recentOf(secrets, command.secret)?.id ?? '999999999'
  return {
    who,
    name: 'revokeClientSecret',
    fields: { clientId, secretId },
    expect: (now) => apps.revokeSecret(now, who, app, secretId),
  }
}

const URLS = ['https://8.8.8.8/webhooks', 'https://1.1.1.1/webhooks']

function toWebhookCall(run: Run, command: Of<'hook'> | Of<'unhook'>): Call | undefined {
  const { state } = run
  const isNew = command.do === 'hook'
  const before = state.grants.findLast(({ change }) => change?.webhookUrl)
  const followed = isNew && command.follows ? before : undefined
  const who = followed?.proposer ?? whoAt(run, command.who)
  const app = followed?.app ?? positionOf(state.apps, command.app)
  const { clientId, webhooks } = at(state.apps, app)
  const webhook = command.hook === null ? undefined : pick(webhooks, command.hook)
  const position = webhook === undefined ? -1 : webhooks.indexOf(webhook)
  const which = { clientId, webhookId: webhook?.id }
  if (command.do === 'unhook') {
    if (webhook === undefined) return undefined
    return {
      who,
      name: 'deleteWebhook',
      fields: which,
      expect: (now) => apps.deleteWebhook(now, who, app, position),
    }
  }
  const { isEnabled } = command
  const url = followed?.change?.webhookUrl ?? at(URLS, command.url)
  const settings = { url, types: null, description: '' }
  if (webhook !== undefined)
    return {
      who,
      name: 'changeWebhook',
      fields: { ...which, ...settings, isEnabled },
      expect: (now) => apps.changeWebhook(now, who, app, position, { url, isEnabled }),
    }
  return {
    who,
    name: 'createWebhook',
    about: followed?.status,
    fields: { clientId, ...settings },
    expect: (now) => apps.createWebhook(now, who, app, url),
    learn({ webhookId }) {
      const made = at(run.state.apps, app).webhooks.find(({ id }) => id === '')
      if (made !== undefined) made.id = String(webhookId)
    },
  }
}

async function linkApp(run: Run, position: number) {
  const { state, harness } = run
  const app = positionOf(state.apps, position)
  if (at(state.apps, app).isInUse || at(state.people, 0).isErased) return
  const found = await harness.context.clientApps.find(at(state.apps, app).clientId)
  await run.linkTo(app, found ?? assert.fail('the app does not exist'))
  run.note(`a person links app ${app}`)
}

// Operators and switches

function toOperatorCall(run: Run, command: Of<'create'> | Of<'change'>): Call {
  const { state, browsers } = run
  const who = whoAt(run, command.who)
  if (command.do === 'change') {
    const target = targetOf(run, command)
    const { change } = command
    return {
      who,
      name: 'changeOperator',
      fields: { id: at(state.operators, target).id, ...change },
      expect: (now) => model.changeOperator(now, who, target, change),
    }
  }
  const { role, isTaken } = command
  const email = isTaken ? at(state.operators, 0).email.toUpperCase() : inventEmail()
  return {
    who,
    name: 'createOperator',
    fields: { email, name: 'Olga Added', role },
    expect: (now) => model.createOperator(now, who, { email, role }),
    learn({ id, password }) {
      at(run.state.operators, run.state.operators.length - 1).id = String(id)
      browsers.push({ cookie: '', password: String(password), wrongTries: 0, lastCode: null })
    },
  }
}

function toSwitch(run: Run, command: Of<'freeze'> | Of<'pause'> | Of<'erase'>): Call | undefined {
  const { state } = run
  const who = whoAt(run, command.who)
  const reason = 'Strange debits'
  if (command.do === 'pause') {
    const { isPaused } = command
    const app = command.app === null ? undefined : positionOf(state.apps, command.app)
    const fields = { isPaused, reason: isPaused ? reason : undefined }
    const clientId = app === undefined ? undefined : at(state.apps, app).clientId
    return {
      who,
      name: app === undefined ? 'pauseWrites' : 'pauseClientApp',
      fields: { ...fields, ...(clientId !== undefined && { clientId }) },
      expect: (now) =>
        model.setPause(
          now,
          who,
          app === undefined ? now : at(now.apps, app),
          isPaused ? reason : null,
        ),
    }
  }
  const position = positionOf(state.people, command.person)
  const { id, isErased } = at(state.people, position)
  if (command.do === 'freeze') {
    if (isErased) return undefined
    const { isFrozen } = command
    return {
      who,
      name: 'freezeWallet',
      fields: { id, isFrozen, reason },
      expect: (now) => model.freezeWallet(now, who, position, isFrozen, reason),
    }
  }
  return {
    who,
    name: 'erasePerson',
    fields: { id, reason },
    expect: (now) => grants.erasePerson(now, who, position),
  }
}

/** Ten endpoints, one after another. */
async function callWithNothing(run: Run, command: Of<'roles'>) {
  const who = whoAt(run, command.who)
  if (command.isReady) await run.makeReady(who)
  for (let nth = 0; nth < 10; nth++) {
    const name = at(ENDPOINT_NAMES, (command.from + nth) % ENDPOINT_NAMES.length)
    const { toNothing } = RULES[name]
    const isAdmitted = model.admit(structuredClone(run.state), who, name) === undefined
    if (toNothing === 'skipped' && isAdmitted) continue
    // In reality, nobody logs in without an authenticator: `logInWithoutSteps` leaves out the step that sets it up.
    const hasNone = !at(run.state.operators, who).hasAuthenticator
    if (name === 'renewRecoveryCodes' && hasNone) continue
    await run.callWithNothing(who, name)
  }
}

// Logins

async function confirmAs(run: Run, position: number, means: Of<'confirm'>['means']) {
  const who = whoAt(run, position)
  const operator = at(run.state.operators, who)
  if (!model.isLoggedIn(run.state, operator)) return
  if (means === 'passkey') return run.confirmByPasskey(who)
  const browser = at(run.browsers, who)
  const totp = run.totps.get(who)
  if (!operator.hasAuthenticator || totp === undefined) return
  const isRight = means === 'code'
  if (!isRight && (browser.wrongTries >= 2 || browser.lastCode === null)) return
  // The next code of the authenticator.
  if (isRight) run.pass(30_000)
  if (!model.isLoggedIn(run.state, operator)) return
  const code = isRight ? totp.generate() : (browser.lastCode ?? '')
  if (isRight) browser.lastCode = code
  else browser.wrongTries++
  const password = means === 'wrong password' ? 'not the password' : browser.password
  await run.call({
    who,
    name: 'confirmOperator',
    fields: { password, code },
    expect(state) {
      if (isRight) return confirm(state, who, 'authenticator')
      const step = means === 'wrong password' ? 'password' : 'code'
      model.record(state, who, 'operator.log_in_failed', operator.email, { after: { step } })
      return refuse(step === 'password' ? 'LOGIN_FAILED' : 'CODE_INVALID')
    },
  })
}

/** With the password and a code; sets up an authenticator if the operator has none. */
async function logInByCode(run: Run, who: number) {
  const operator = at(run.state.operators, who)
  const { email, isActive, hasAuthenticator } = operator
  const browser = at(run.browsers, who)
  // A login that fails for somebody who is not an active operator is not always recorded.
  if (browser.wrongTries >= 2 || !isActive) return
  run.pass(30_000)
  const begun = await ask(run, signIn.logInToAdmin, { email, password: browser.password })
  assert.equal(begun.statusCode, 200, begun.body)
  const { step, ticket, totpUri } = begun.json<{ step: string; ticket: string; totpUri?: string }>()
  assert.equal(step, hasAuthenticator ? 'code' : 'enroll')
  const made = totpUri === undefined ? run.totps.get(who) : URI.parse(totpUri)
  assert(made instanceof TOTP)
  run.totps.set(who, made)
  const code = made.generate()
  const response = await ask(run, signIn.finishAdminLogIn, { ticket, code })
  assert.equal(response.statusCode, 200, response.body)
  Object.assign(browser, { cookie: cookieOf(response), lastCode: code })
  operator.hasAuthenticator = true
  model.startLogIn(run.state, who)
  const means = hasAuthenticator ? 'authenticator' : 'new_authenticator'
  model.record(run.state, who, 'operator.log_in', email, { after: { means } })
  run.hit(`logInToAdmin ${step}`)
  run.note(`${who} logs in with ${step}`)
}

function logOut(run: Run, who: number) {
  return run.call({
    who,
    name: 'logOutOfAdmin',
    fields: {},
    expect(state) {
      const operator = at(state.operators, who)
      operator.logIn = null
      model.record(state, who, 'operator.log_out', operator.email)
      return model.DONE
    },
  })
}

// Time, holds and jobs

function passTime(run: Run, ms: number | 'before' | 'after') {
  run.pass(typeof ms === 'number' ? ms : model.untilNextEnd(run.state, ms))
}

const HOLD_MS = 2 * model.HOUR_MS

async function placeHold(run: Run, { person: position, amount }: Of<'hold'>) {
  const { state, setup, harness } = run
  const person = positionOf(state.people, position)
  const { isFrozen, isErased, balance } = at(state.people, person)
  if (isFrozen || isErased || balance < amount || state.pause !== null) return
  const referenceId = randomUUID()
  const { decision } = await harness.context.ledger.post({
    referenceType: 'HOLD',
    referenceId,
    kind: 'hold',
    walletId: at(run.users, person).walletId,
    counterAccount: setup.shop.ledgerAccount,
    amountMinor: BigInt(amount),
    description: null,
    hold: { expiresInMs: HOLD_MS },
  })
  assert.equal(decision.refusal, null)
  run.holdReferences.set(decision.digest, referenceId)
  grants.placeHold(state, { id: decision.digest, person, amount, expiresMs: state.nowMs + HOLD_MS })
  run.note(`${amount} of person ${person} are held`)
}

/** The app releases it. */
async function endHold(run: Run, position: number) {
  const { state, setup, harness } = run
  const hold = recentOf(state.holds, position)
  if (hold === undefined || hold.state !== 'open' || hold.expiresMs <= state.nowMs) return
  if (state.pause !== null) return
  const response = await callAsApp({ harness, app: setup.shop }, release, {
    hold: { referenceType: 'HOLD', referenceId: run.holdReferences.get(hold.id) },
    referenceType: 'END',
    referenceId: randomUUID(),
  })
  assert.equal(response.statusCode, 200, response.body)
  grants.bookEnds(state, hold.person)
  grants.returnHeld(state, state.holds.indexOf(hold), 'release')
  run.note('the app releases a hold')
}

async function finish(run: Run) {
  const { state, harness } = run
  // What the job reaches before a refusal by the pause depends on its order.
  if (state.pause !== null && state.grants.some(grants.isUnfinished)) return
  if (state.grants.some(grants.isUnfinished)) run.hit('finish a grant')
  await runMaintenance(harness.context)
  grants.finishGrants(state)
  await bookExpiredHolds(harness.context)
  grants.expireHolds(state)
  run.note('the jobs run')
}
