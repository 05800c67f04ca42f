/** Plays what the backend of an app does with link codes and ids, and what its page shows with a widget session. */
import * as serverApi from '@coffer/contract/server-api'
import * as widgetApi from '@coffer/contract/widget-api'
import type { Command } from './commands.ts'
import { Time } from './match.ts'
import type { Proof, Scene } from './scene.ts'
import type { App, Link, LinkCode, WidgetSession } from './state.ts'

export async function askAsApp(
  scene: Scene,
  command: Command & { do: 'exchange' | 'open' | 'show' },
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
    if (link) await openSession(scene, appOf(link.app, command.isOwnApp), link, command.origin)
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

/** Anybody who has the session can read it, with no other credential. */
export async function showWidget(scene: Scene, session: WidgetSession) {
  const { model, calls } = scene
  calls.hit(`a widget session: ${session.link.endedBy ?? scene.stateOf(session)}`)
  const expect = () => model.readSession(session)
  const fields = { session: session.token.value }
  const made = { what: 'widget', endpoint: widgetApi.readWidgetWallet, fields, expect }
  await calls.serve(undefined, made, ({ user }) => ({ user }))
}

export async function readWallet(scene: Scene, app: App, link: Link) {
  scene.calls.hit(`an id${link.app === app ? '' : ' of another app'}: ${link.endedBy ?? 'works'}`)
  const expect = () => scene.model.readWallet(app, link)
  const fields = { serviceUserId: link.id.value }
  const made = { what: 'wallet', endpoint: serverApi.readWallet, fields, expect }
  await scene.calls.serve(app, made, () => ({}))
}
