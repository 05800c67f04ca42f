/** What must be true in the end: which of all credentials still work, and for what, and which events the apps got. */
import { readEvents } from '@coffer/contract/server/events'
import assert from 'node:assert/strict'
import { numberEvents } from '../../server/events/feed/number-events.ts'
import { call } from '../../server/test/setup.ts'
import { compareOperations, exchange, proofOf, readWallet, showWidget } from './as-app.ts'
import { readAs } from './at-account.ts'
import { STEPS, type Step } from './commands.ts'
import { PASSWORDS, type Run } from './run.ts'
import { browserFor, logInToWidget, useTicket } from './sign-in.ts'
import type { App, Browser, MailLink, Ticket } from './state.ts'

const CODE_STEPS: readonly Step[] = ['verifySignUp', 'verifyEmail', 'verifyNewEmail']

/** Uses every credential of the plan once more. */
export async function lookAtAll(run: Run) {
  await lookAtLogIns(run)
  await lookAtApps(run)
  await lookAtPeople(run)
  await useTickets(run)
  await lookAtLogIns(run)
  for (const app of run.model.apps) await compareEvents(run, app)
}

/** Every cookie that was ever set, each in a browser that has nothing else. */
async function lookAtLogIns(run: Run) {
  for (const logIn of run.model.logIns) {
    await readAs(run, logIn)
    const state = run.stateOf(logIn)
    const isIdle = state === 'works' && !run.model.isLoggedIn(logIn)
    run.calls.hit(`a login: ${isIdle ? 'idle' : state}`)
  }
}

/** Every session, and every operation, id and link code at every app. */
async function lookAtApps(run: Run) {
  const { apps, links, linkCodes, sessions } = run.model
  for (const session of sessions) await showWidget(run, session)
  for (const app of apps) {
    await compareOperations(run, app)
    for (const link of links) await readWallet(run, app, link)
    for (const code of linkCodes) await exchange(run, app, code, proofOf(run, code))
  }
}

/** Whether everybody, in the widget of every app, would be linked, or has to agree or to confirm the address before. */
async function lookAtPeople(run: Run) {
  const { apps, people, browsers } = run.model
  const [browser] = browsers as [Browser]
  for (const { email, password, isErased } of people) {
    const form = { email, password: password ?? (PASSWORDS[0] as string), challenge: undefined }
    if (!isErased) for (const app of apps) await logInToWidget(run, app, form, { browser })
  }
}

/** First at a step that it was not issued for, then at its own. */
async function useTickets(run: Run) {
  const { model, plan } = run
  // Those that end others are the last ones.
  const rank = ({ kind }: Ticket | MailLink) => ['reset', 'undo', 'warning'].indexOf(kind)
  const all: (Ticket | MailLink)[] = [...model.tickets, ...model.mailLinks]
  for (const [index, ticket] of all.toSorted((a, b) => rank(a) - rank(b)).entries()) {
    const at = plan.eye + index
    const browser = model.browsers[at % model.browsers.length] as Browser
    const password = PASSWORDS[at % PASSWORDS.length] as string
    const code = ('code' in ticket && ticket.code?.value) || '000000'
    const steps = 'code' in ticket && ticket.code ? CODE_STEPS : STEPS
    const step = steps[at % steps.length] ?? null
    const wrong = code === '999999' ? '999998' : '999999'
    const tried = at % 2 === 0 ? code : wrong
    await useTicket(run, ticket, { step, password, code: tried }, { browser })
    const by = { browser: browserFor(run, ticket, browser, at % 3 === 0) }
    await useTicket(run, ticket, { step: null, password, code }, by)
  }
}

async function compareEvents({ calls, model }: Run, app: App) {
  const { harness, matcher } = calls
  await numberEvents(harness.context)
  const response = await call({ harness, app: calls.testApp(app) }, readEvents, {})
  const { events } = response.json<{ events: { sequence: number; type: string; data: object }[] }>()
  const expected = model.events.get(app) ?? []
  assert.deepEqual(
    events.map(({ sequence, type }) => [sequence, type]),
    expected.map(({ type }, index) => [index + 1, type]),
    'the events',
  )
  for (const [index, { type, link, reason }] of expected.entries()) {
    const data = { serviceUserId: link.id, ...(reason && { reason }) }
    matcher.match(events[index]?.data, data, type)
    calls.hit(`event: ${type}${reason ? ` ${reason}` : ''}`)
  }
}
