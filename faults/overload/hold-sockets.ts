/** Clients that open a connection and are slow. Each group counts what the service closed; no client gives up by itself. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface SlowClients {
  /** Connections that are still open. */
  open(): number
  /** Connections that the service has closed so far. */
  closed(): number
  /** Sends something once: only then does a client that does not read notice that the connection is closed. */
  sendMore(): void
  end(): void
}

/** Delay between groups of clients, so that connecting is not a flood itself. */
const PAUSE_MS = 50
const BYTE_EVERY_MS = 500
/** More than the buffers of the operating system hold. */
const PIPELINED = 160

type Behave = (socket: Socket) => void

/** They connect and send nothing. */
export function holdIdle(url: string, count: number): Promise<SlowClients> {
  return gather(url, count, { isStubborn: false, atOnce: 100 }, (socket) => socket.resume())
}

/** They send the headers, or an announced body, byte by byte, and reconnect when the service closes the connection. */
export function sendSlowly(
  url: string,
  count: number,
  what: 'headers' | 'body',
): Promise<SlowClients> {
  const length = 10_000
  const head = 'POST /api/server/wallet/debit HTTP/1.1\r\nHost: wallet\r\nX-Slow: '
  const body = `slow\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
  return gather(url, count, { isStubborn: true, atOnce: 100 }, (socket) => {
    socket.resume()
    socket.write(what === 'headers' ? head : head + body)
    const timer = setInterval(() => socket.write('x'), BYTE_EVERY_MS)
    socket.once('close', () => clearInterval(timer))
  })
}

/** They request a long document again and again, and never read it. */
export function sendWithoutReading(url: string, count: number): Promise<SlowClients> {
  const request = 'GET /docs/openapi.json HTTP/1.1\r\nHost: wallet\r\n\r\n'
  return gather(url, count, { isStubborn: false, atOnce: 2 }, (socket) => {
    socket.pause()
    socket.write(request.repeat(PIPELINED))
  })
}

async function gather(
  url: string,
  count: number,
  { isStubborn, atOnce }: { isStubborn: boolean; atOnce: number },
  behave: Behave,
): Promise<SlowClients> {
  const { port, hostname } = new URL(url)
  const sockets = new Set<Socket>()
  let closed = 0
  let isOver = false
  async function join() {
    const socket = connect(Number(port), hostname)
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => {
      sockets.delete(socket)
      if (isOver) return
      closed++
      if (isStubborn) setTimeout(() => isOver || void join(), BYTE_EVERY_MS)
    })
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined)
    behave(socket)
  }
  for (let gathered = 0; gathered < count; gathered += atOnce) {
    await Promise.all(Array.from({ length: Math.min(atOnce, count - gathered) }, join))
    await sleep(PAUSE_MS)
  }
  return {
    open: () => sockets.size,
    closed: () => closed,
    sendMore() {
      for (const socket of sockets) socket.write('G')
    },
    end() {
      isOver = true
      for (const socket of sockets) socket.destroy()
    },
  }
}
