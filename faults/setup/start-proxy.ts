/** A proxy between the service and PostgreSQL: it cuts a connection at a COMMIT, or cuts, stalls or mutes all. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface DatabaseProxy {
  url: string
  /** The new address of PostgreSQL. */
  aim(url: string): void
  /**
   * Cuts the next connection that sends COMMIT, before those bytes arrive or after, when only the response is lost.
   * Resolves when it has happened; false: nothing was committed in time.
   */
  cutNextCommit(when: 'before' | 'after', withinMs: number): Promise<boolean>
  cutAll(): void
  stall(isStalled: boolean): void
  /** Drops all bytes of the connections that exist now, without closing them. New connections work. */
  mute(): void
  /** The network resets the muted connections. */
  cutMuted(): void
  close(): Promise<void>
}

/** State that all connections share. */
interface Switches {
  target: URL
  isStalled: boolean
  /** The next COMMIT is cut. */
  armed: { when: 'before' | 'after'; done: () => void } | undefined
  sockets: Set<Socket>
  muted: WeakSet<Socket>
}

/** The bytes before the word COMMIT in its message. */
const MESSAGE_HEAD = 5
const DYING_MS = 200

export async function startProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const switches: Switches = {
    target: new URL(databaseUrl),
    isStalled: false,
    armed: undefined,
    sockets: new Set(),
    muted: new WeakSet(),
  }
  const server = createServer((fromService) => carry(fromService, switches))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof address === 'object' ? address?.port : 0)
  function cutAll() {
    for (const socket of switches.sockets) socket.destroy()
  }
  return {
    url: url.href,
    aim(target) {
      switches.target = new URL(target)
    },
    cutNextCommit: (when, withinMs) => armCut(switches, when, withinMs),
    cutAll,
    stall(isStalled) {
      switches.isStalled = isStalled
      for (const socket of switches.sockets) {
        if (isStalled) socket.pause()
        else socket.resume()
      }
    },
    cutMuted() {
      for (const socket of switches.sockets) if (switches.muted.has(socket)) socket.destroy()
    },
    mute() {
      for (const socket of switches.sockets) switches.muted.add(socket)
    },
    async close() {
      cutAll()
      server.close()
      await once(server, 'close')
    },
  }
}

function armCut(switches: Switches, when: 'before' | 'after', withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      switches.armed = undefined
      resolve(false)
    }, withinMs)
    function done() {
      clearTimeout(timer)
      resolve(true)
    }
    switches.armed = { when, done }
  })
}

function carry(fromService: Socket, switches: Switches) {
  const { sockets, muted, target, isStalled } = switches
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
    isCut = true
    const sent = armed.when === 'after' ? bytes : bytes.subarray(0, at - MESSAGE_HEAD)
    toDatabase.write(sent, () => setTimeout(() => toDatabase.destroy(), DYING_MS))
    fromService.destroy()
    armed.done()
  })
  toDatabase.on('data', (bytes) => {
    if (!isCut && !muted.has(toDatabase)) fromService.write(bytes)
  })
}
