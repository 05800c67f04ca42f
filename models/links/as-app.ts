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
import type { Proof, Scene } from './scene.ts'
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
  scene: Scene,
  command: Command & { do: 'exchange' | 'open' | 'show' | 'trade' },
) {
  const { model } = scene
  const appOf = (app: App, isOwn: boolean) => model.apps[isOwn ? app.index : 1 - app.index] as App
  if (command.do === 'exchange') {
    const code = scene.pick(command.pick, model.linkCodes, (each) => model.isLive(each))
    if (!code) return
    const right = proofOf(scene, code)
    const other = scene.proofs.find((each) => each !== right)
    const proof = { right, other, none: undefined }[command.verifier]
    await exchange(scene, appOf(code.link.app, command.isOwnApp), code, proof)
  } else if (command.do === 'show') {
    const session = scene.pick(command.pick, model.sessions, (each) => model.isOpen(each))
    if (session) await showWidget(scene, session)
  } else {
    const link = scene.pick(command.pick, model.links, ({ endedBy }) => endedBy === undefined)
    if (!link) return
    const app = appOf(link.app, command.isOwnApp)
    if (command.do === 'trade') await trade(scene, app, link)
    else await openSession(scene, app, link, command.origin)
  }
}

/** The verifier that the code was issued for. */
export function proofOf({ proofs }: Scene, { challenge }: LinkCode): Proof | undefined {
  return proofs.find((each) => each.challenge === challenge)
}

export async function exchange(scene: Scene, app: App, code: LinkCode, proof: Proof | undefined) {
  const whose = code.link.app === app ? '' : ' of another app'
  scene.calls.hit(`a link code${whose}: ${code.link.endedBy ?? scene.stateOf(code)}`)
  await scene.calls.serve(app, {
    what: 'exchange',
    endpoint: serverApi.exchangeLinkCode,
    fields: { linkCode: code.token.value, verifier: proof?.verifier },
    expect: () => scene.model.exchange(app, code, proof?.challenge),
  })
}

/** Right after a link code was issued: everybody tries it with every verifier, and the app opens a session. */
export async function useNewLink(scene: Scene, code: LinkCode) {
  for (const app of scene.model.apps) {
    for (const proof of [undefined, ...scene.proofs]) await exchange(scene, app, code, proof)
  }
  await openSession(scene, code.link.app, code.link, 'listed')
}

async function openSession(
  scene: Scene,
  app: App,
  link: Link,
  origin: 'none' | 'listed' | 'other',
) {
  const places = { none: undefined, listed: app.index, other: 1 - app.index }
  const place = places[origin]
  const parentOrigin = place === undefined ? undefined : scene.parentOf(place)
  await scene.calls.serve(app, {
    what: 'new session',
    endpoint: widgetApi.createSession,
    fields: { serviceUserId: link.id.value, parentOrigin },
    expect() {
      const { code, session } = scene.model.createSession(app, link, origin)
      if (!session) return { ...(code && { code }) }
      const { token, expiresMs } = session
      return { body: { sessionToken: token, expiresAt: new Time(expiresMs) } }
    },
  })
}

/** Anybody who has the session can use it, with no other credential. */
export async function showWidget(scene: Scene, session: WidgetSession) {
  const { model, calls } = scene
  // Every other reason to refuse it would hide that its link has ended.
  const state = scene.stateOf(session)
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

/** The money that comes goes at once, so that the account can be deleted. */
async function trade(scene: Scene, app: App, link: Link) {
  const { credit, debit } = serverApi
  for (const [type, endpoint] of Object.entries({ credit, debit })) {
    const referenceId = randomUUID()
    const fields = { serviceUserId: link.id.value, amount: '1.00', referenceType: 'TRADE' }
    const expect = () => scene.model.operate({ app, link, type, referenceId })
    const made = {
      what: type,
      endpoint,
      fields: { ...fields, referenceId },
      expect,
    }
    await scene.calls.serve(app, made, () => ({}))
  }
}

/** Each operation shows the id that the person had in this app at that time. */
export async function compareOperations(scene: Scene, app: App) {
  const { calls, model } = scene
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

export async function readWallet(scene: Scene, app: App, link: Link) {
  scene.calls.hit(`an id${link.app === app ? '' : ' of another app'}: ${link.endedBy ?? 'works'}`)
  const expect = () => scene.model.readWallet(app, link)
  const fields = { serviceUserId: link.id.value }
  const made = { what: 'wallet', endpoint: serverApi.readWallet, fields, expect }
  await scene.calls.serve(app, made, () => ({}))
}
