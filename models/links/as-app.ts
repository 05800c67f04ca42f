/** Plays what the backend of an app does with link codes and ids, and what its page shows with a widget session. */
import * as serverApi from '@coffer/contract/server/wallet'
import * as widgetApi from '@coffer/contract/widget/widget'
import { createCardIntent } from '@coffer/contract/widget/cards'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { call } from '../../server/test/setup.ts'
import type { Command } from './commands.ts'
import { Time } from './match.ts'
import type { Proof, Run } from './run.ts'
import type { App, Link, LinkCode, WidgetSession } from './state.ts'

/** Whoever reaches these checks was admitted with the session. */
const REFUSED_TOPUPS = [
  {
    what: 'top-up',
    endpoint: widgetApi.createIntent,
    fields: { amount: '0' },
    code: 'INVALID_AMOUNT',
  },
  {
    what: 'top-up with a card',
    endpoint: createCardIntent,
    fields: { amount: '0', ticket: 'x'.repeat(32), cardId: 'pm_1' },
    code: 'INVALID_AMOUNT',
  },
  {
    what: 'confirmed top-up',
    endpoint: widgetApi.confirmTopup,
    fields: { paymentIntentId: 'pi_of_nobody' },
    code: 'PAYMENT_INTENT_NOT_FOUND',
  },
] as const

export async function askAsApp(
  run: Run,
  command: Command & { do: 'exchange' | 'open' | 'show' | 'creditAndDebit' },
) {
  const { model } = run
  const appOf = (app: App, isOwn: boolean) => model.apps[isOwn ? app.index : 1 - app.index] as App
  if (command.do === 'exchange') {
    const code = run.pick(command.pick, model.linkCodes, (each) => model.isLive(each))
    if (!code) return
    const right = proofOf(run, code)
    const other = run.proofs.find((each) => each !== right)
    const proof = { right, other, none: undefined }[command.verifier]
    await exchange(run, appOf(code.link.app, command.isOwnApp), code, proof)
  } else if (command.do === 'show') {
    const session = run.pick(command.pick, model.sessions, (each) => model.isOpen(each))
    if (session) await showWidget(run, session)
  } else {
    const link = run.pick(command.pick, model.links, ({ endedBy }) => endedBy === undefined)
    if (!link) return
    const app = appOf(link.app, command.isOwnApp)
    if (command.do === 'creditAndDebit') await creditAndDebit(run, app, link)
    else await openSession(run, app, link, command.origin)
  }
}

/** The verifier that the code was issued for. */
export function proofOf({ proofs }: Run, { challenge }: LinkCode): Proof | undefined {
  return proofs.find((each) => each.challenge === challenge)
}

export async function exchange(run: Run, app: App, code: LinkCode, proof: Proof | undefined) {
  const whose = code.link.app === app ? '' : ' of another app'
  run.calls.hit(`a link code${whose}: ${code.link.endedBy ?? run.stateOf(code)}`)
  await run.calls.serve(app, {
    what: 'exchange',
    endpoint: serverApi.exchangeLinkCode,
    fields: { linkCode: code.token.value, verifier: proof?.verifier },
    expect: () => run.model.exchange(app, code, proof?.challenge),
  })
}

/** Right after a link code was issued: everybody tries it with every verifier, and the app opens a session. */
export async function useNewLink(run: Run, code: LinkCode) {
  for (const app of run.model.apps) {
    for (const proof of [undefined, ...run.proofs]) await exchange(run, app, code, proof)
  }
  await openSession(run, code.link.app, code.link, 'listed')
}

async function openSession(run: Run, app: App, link: Link, origin: 'none' | 'listed' | 'other') {
  const apps = { none: undefined, listed: app.index, other: 1 - app.index }
  const at = apps[origin]
  const parentOrigin = at === undefined ? undefined : run.parentOf(at)
  await run.calls.serve(app, {
    what: 'new session',
    endpoint: widgetApi.createSession,
    fields: { serviceUserId: link.id.value, parentOrigin },
    expect() {
      const { code, session } = run.model.createSession(app, link, origin)
      if (!session) return { ...(code && { code }) }
      const { token, expiresMs } = session
      return { body: { sessionToken: token, expiresAt: new Time(expiresMs) } }
    },
  })
}

/** Anybody who has the session can use it, with no other credential. */
export async function showWidget(run: Run, session: WidgetSession) {
  const { model, calls } = run
  // Every other reason to refuse it would hide that its link has ended.
  const state = run.stateOf(session)
  calls.hit(`a widget session: ${state === 'works' ? (session.link.endedBy ?? state) : state}`)
  for (const { what, endpoint, fields, code } of REFUSED_TOPUPS) {
    const path = `${endpoint.path}?session=${session.token.value}`
    const about = { what, endpoint: { ...endpoint, path }, fields }
    await calls.serve(undefined, { ...about, expect: () => model.payIn(session, code) })
  }
  const expect = () => model.readSession(session)
  const fields = { session: session.token.value }
  const made = { what: 'widget', endpoint: widgetApi.readWidgetWallet, fields, expect }
  await calls.serve(undefined, made, ({ user }) => ({ user }))
}

/** The app credits an amount and debits it at once, so that the account can still be deleted. */
async function creditAndDebit(run: Run, app: App, link: Link) {
  const { credit, debit } = serverApi
  for (const [type, endpoint] of Object.entries({ credit, debit })) {
    const referenceId = randomUUID()
    const fields = { serviceUserId: link.id.value, amount: '1.00', referenceType: 'TRADE' }
    const expect = () => run.model.operate({ app, link, type, referenceId })
    const made = {
      what: type,
      endpoint,
      fields: { ...fields, referenceId },
      expect,
    }
    await run.calls.serve(app, made, () => ({}))
  }
}

/** Each operation shows the id that the person had in this app at that time. */
export async function compareOperations(run: Run, app: App) {
  const { calls, model } = run
  const own = model.operations.filter((each) => each.app === app)
  // Empty days take time.
  const from = new Date(own[0]?.atMs ?? Date.now()).toISOString().slice(0, 10)
  const seen: string[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const setup = { harness: calls.harness, app: calls.testApp(app) }
    const response = await call(setup, serverApi.listOwnOperations, { from, cursor })
    assert.equal(response.statusCode, 200, response.body)
    const page = response.json<z.output<typeof serverApi.listOwnOperations.response>>()
    for (const { type, referenceId, serviceUserId } of page.operations)
      seen.push(`${type} ${referenceId} ${serviceUserId}`)
    cursor = page.nextCursor
  }
  for (const { link } of own) {
    const isRelinked = link.endedBy && model.linkOf(app, link.person)
    calls.hit(`an operation of a link: ${isRelinked ? 'linked again' : (link.endedBy ?? 'works')}`)
  }
  assert.deepEqual(
    seen.toReversed(),
    own.map(({ type, referenceId, link }) => `${type} ${referenceId} ${link.id.value}`),
    'the operations',
  )
}

export async function readWallet(run: Run, app: App, link: Link) {
  run.calls.hit(`an id${link.app === app ? '' : ' of another app'}: ${link.endedBy ?? 'works'}`)
  const expect = () => run.model.readWallet(app, link)
  const fields = { serviceUserId: link.id.value }
  const made = { what: 'wallet', endpoint: serverApi.readWallet, fields, expect }
  await run.calls.serve(app, made, () => ({}))
}
