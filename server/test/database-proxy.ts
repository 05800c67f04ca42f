/** A proxy between the service and PostgreSQL: it cuts a connection at a COMMIT, or cuts, stalls or mutes all. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'

export interface DatabaseProxy {
  url: string
  /** The new address of PostgreSQL. */
  aim(url: string): void
  /**
   * Cuts the next connection that sends COMMIT: before those bytes arrive, or after, so that only the response is lost.
   * `thenRefuse` refuses all connections from then on. Resolves when it has happened.
   */
  cutNextCommit(when: 'before' | 'after', options?: { thenRefuse: boolean }): Promise<void>
  cutAll(): void
  /** Cuts every connection and refuses new ones until it is called with false. */
  refuse(isRefusing: boolean): void
  stall(isStalled: boolean): void
  /** Drops all bytes of the connections that exist now, without closing them. New connections work. */
  mute(): void
  /** The network resets the muted connections. */
  cutMuted(): void
  /** Mutes all connections, and new ones to this address; undefined: new connections work again. */
  lose(address: string | undefined): void
  stop(): Promise<void>
}

/** State that all connections share. */
interface Switches {
  target: URL
  isRefusing: boolean
  isStalled: boolean
  lost: string | undefined
  /** The next COMMIT is cut. */
  armed: { when: 'before' | 'after'; thenRefuse: boolean; done: () => void } | undefined
  sockets: Set<Socket>
  muted: WeakSet<Socket>
}

/** The bytes before the word COMMIT in its message. */
const MESSAGE_HEAD = 5
const DYING_MS = 200

/** Listens on the same port of all addresses. */
export async function startDatabaseProxy(
  databaseUrl: string,
  addresses: readonly string[] = ['127.0.0.1'],
): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>()
  const muted = new WeakSet<Socket>()
  const switches: Switches = {
    target: new URL(databaseUrl),
    isRefusing: false,
    isStalled: false,
    lost: undefined,
    armed: undefined,
    sockets,
    muted,
  }
  const servers = addresses.map((address) =>
    createServer((fromService) => carry(fromService, switches, address)),
  )
  let port = 0
  for (const [index, server] of servers.entries()) {
    server.listen(port, addresses[index])
    await once(server, 'listening')
    ;({ port } = server.address() as AddressInfo)
  }
  function cutAll() {
    for (const socket of sockets) socket.destroy()
  }
  function mute() {
    for (const socket of sockets) muted.add(socket)
  }
  return {
    url: Object.assign(new URL(databaseUrl), { port }).href,
    aim(target) {
      switches.target = new URL(target)
    },
    cutNextCommit(when, { thenRefuse } = { thenRefuse: false }) {
      return new Promise((done) => (switches.armed = { when, thenRefuse, done }))
    },
    cutAll,
    refuse(isRefusing) {
      switches.isRefusing = isRefusing
      if (isRefusing) cutAll()
    },
    stall(isStalled) {
      switches.isStalled = isStalled
      for (const socket of sockets) {
        if (isStalled) socket.pause()
        else socket.resume()
      }
    },
    mute,
    cutMuted() {
      for (const socket of sockets) if (muted.has(socket)) socket.destroy()
    },
    lose(address) {
      switches.lost = address
      if (address !== undefined) mute()
    },
    async stop() {
      cutAll()
      await Promise.all(servers.map((server) => once(server.close(), 'close')))
    },
  }
}

/** It connects, because the kernel of this machine accepts it, and then nothing happens. */
function ignore(socket: Socket, { sockets, muted }: Switches) {
  sockets.add(socket)
  muted.add(socket)
  socket.on('error', () => undefined)
  socket.on('close', () => sockets.delete(socket))
}

function carry(fromService: Socket, switches: Switches, address: string) {
  const { sockets, muted, target, isRefusing, isStalled, lost } = switches
  if (isRefusing) {
    fromService.destroy()
    return
  }
  if (address === lost) {
    ignore(fromService, switches)
    return
  }
  const toDatabase = connect(Number(target.port), target.hostname)
  /** Cuts the connection to the service; the connection to the database stays open for a moment. */
  let isCut = false
  for (const socket of [fromService, toDatabase]) {
    sockets.add(socket.setNoDelay())
    if (isStalled) socket.pause()
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
    const { armed } = switches
    const at = armed === undefined ? -1 : bytes.indexOf('commit')
    if (armed === undefined || at < 0) {
      toDatabase.write(bytes)
      return
    }
    switches.armed = undefined
    switches.isRefusing = armed.thenRefuse
    isCut = true
    const sent = armed.when === 'after' ? bytes : bytes.subarray(0, at - MESSAGE_HEAD)
    toDatabase.write(sent, () => setTimeout(() => toDatabase.end(), DYING_MS))
    fromService.destroy()
    armed.done()
  })
  toDatabase.on('data', (bytes) => {
    if (!isCut && !muted.has(toDatabase)) fromService.write(bytes)
  })
}
