/** A proxy between the service and PostgreSQL that cuts or mutes connections at critical moments. */
import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'

export interface TcpProxy {
  url: string
  /**
   * Cuts the next connection that sends COMMIT: before the bytes arrive, or after, so that only the response is lost.
   * `thenRefuse` refuses all connections from then on.
   */
  cutNextCommit(when: 'before' | 'after', options?: { thenRefuse: boolean }): void
  /** Cuts every connection and refuses new ones until it is called with false. */
  refuse(isRefusing: boolean): void
  /** Drops all bytes of the connections that exist now, without closing them; with `all`, of new ones as well. */
  mute(which: 'existing' | 'all'): void
  /** New connections work again. Muted ones stay muted. */
  unmute(): void
  readonly cuts: number
  stop(): Promise<void>
}

/** State that all connections share. */
interface Switches {
  target: URL
  /** The next COMMIT is cut. */
  armed: 'before' | 'after' | undefined
  refusesAfterCut: boolean
  cuts: number
  isRefusing: boolean
  mutesNew: boolean
  sockets: Set<Socket>
  muted: Set<Socket>
}

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const switches: Switches = {
    target: new URL(databaseUrl),
    armed: undefined,
    refusesAfterCut: false,
    cuts: 0,
    isRefusing: false,
    mutesNew: false,
    sockets: new Set(),
    muted: new Set(),
  }
  const { sockets, muted } = switches
  const server = createServer((fromService) => carry(fromService, switches))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof address === 'object' ? address?.port : 0)
  return {
    url: url.href,
    cutNextCommit(when, { thenRefuse } = { thenRefuse: false }) {
      switches.armed = when
      switches.refusesAfterCut = thenRefuse
    },
    refuse(isOn) {
      switches.isRefusing = isOn
      if (isOn) for (const socket of sockets) socket.destroy()
    },
    mute(which) {
      switches.mutesNew = which === 'all'
      for (const socket of sockets) muted.add(socket)
    },
    unmute() {
      switches.mutesNew = false
    },
    get cuts() {
      return switches.cuts
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function carry(fromService: Socket, switches: Switches) {
  const { target, sockets, muted } = switches
  if (switches.isRefusing) {
    fromService.destroy()
    return
  }
  const toDatabase = connect(Number(target.port), target.hostname)
  let isCut = false
  for (const socket of [fromService, toDatabase]) {
    sockets.add(socket)
    if (switches.mutesNew) muted.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      sockets.delete(socket)
      if (socket === toDatabase && muted.has(socket)) return
      fromService.destroy()
      if (!isCut) toDatabase.destroy()
    })
  }
  fromService.on('data', (bytes) => {
    if (muted.has(fromService)) return
    if (switches.armed === undefined || !bytes.includes('commit')) {
      toDatabase.write(bytes)
      return
    }
    switches.cuts++
    isCut = true
    if (switches.armed === 'after') {
      toDatabase.write(bytes, () => setTimeout(() => toDatabase.end(), 200))
    } else toDatabase.destroy()
    switches.armed = undefined
    switches.isRefusing = switches.refusesAfterCut
    fromService.destroy()
  })
  toDatabase.on('data', (bytes) => {
    if (!isCut && !muted.has(toDatabase)) fromService.write(bytes)
  })
}
