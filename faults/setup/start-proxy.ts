/** A proxy between the service and PostgreSQL: it cuts a connection at a COMMIT, or cuts, stalls or mutes all. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { findFreePorts } from '../../scripts/find-free-ports.ts'
import { ADDRESSES, type Address } from './host-name.ts'

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
  /** Nothing reaches this address any more, and nothing comes from it; undefined: all addresses work. */
  lose(address: Address | undefined): void
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
  lost: Address | undefined
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
    lost: undefined,
  }
  const [port = 0] = await findFreePorts(1)
  const servers = await Promise.all(
    ADDRESSES.map(async (address) => {
      const server = createServer((fromService) => carry(fromService, switches, address))
      server.listen(port, address)
      await once(server, 'listening')
      return server
    }),
  )
  const url = new URL(databaseUrl)
  url.port = String(port)
  function cutAll() {
    for (const socket of switches.sockets) socket.destroy()
  }
  function mute() {
    for (const socket of switches.sockets) switches.muted.add(socket)
  }
  function cutMuted() {
    for (const socket of switches.sockets) if (switches.muted.has(socket)) socket.destroy()
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
    cutMuted,
    mute,
    lose(address) {
      switches.lost = address
      if (address === undefined) cutMuted()
      else mute()
    },
    async close() {
      cutAll()
      for (const server of servers) {
        server.close()
        await once(server, 'close')
      }
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

/** It connects, because the kernel of this machine accepts it, and then nothing happens. */
function ignore(socket: Socket, { sockets, muted }: Switches) {
  sockets.add(socket)
  muted.add(socket)
  socket.on('error', () => undefined)
  socket.on('close', () => sockets.delete(socket))
}

function carry(fromService: Socket, switches: Switches, address: Address) {
  const { sockets, muted, target, isStalled, lost } = switches
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
