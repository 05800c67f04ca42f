/** Connections on which the test writes every byte. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ServiceResponse } from './judge-response.ts'
import { readResponse } from './read-responses.ts'

export interface RawRequest {
  bytes: Buffer
  method: string
}

const TIMEOUT_MS = 20_000
const QUIET_MS = 1_000

/** Sends well-formed requests one after the other; opens a new connection whenever the service closed the last one. */
export class RawConnection {
  readonly #port: number
  #socket: Socket | undefined

  constructor(port: number) {
    this.#port = port
  }

  /** undefined: the connection closed without a response. */
  async send({ bytes, method }: RawRequest): Promise<ServiceResponse | 'broken' | undefined> {
    const socket = await this.#open()
    return new Promise((resolve) => {
      let received: Buffer = Buffer.alloc(0)
      const timer = setTimeout(() => end(undefined), TIMEOUT_MS)
      const end = (response: ServiceResponse | 'broken' | undefined) => {
        clearTimeout(timer)
        socket.removeAllListeners('data').removeAllListeners('close')
        const isReusable =
          typeof response === 'object' && response.headers['connection'] !== 'close'
        if (!isReusable) this.close()
        resolve(response)
      }
      const look = (isOver: boolean) => {
        const piece = readResponse(received, 0, { method, isOver })
        if (piece === 'broken') end(piece)
        else if (piece) end(isLast(piece, received) ? piece.response : 'broken')
        else if (isOver) end(undefined)
      }
      socket.on('data', (piece: Buffer) => {
        received = received.length === 0 ? piece : Buffer.concat([received, piece])
        look(false)
      })
      socket.on('close', () => look(true))
      socket.write(bytes)
    })
  }

  async #open(): Promise<Socket> {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket
    this.#socket = await open(this.#port)
    return this.#socket
  }

  close() {
    this.#socket?.destroy()
    this.#socket = undefined
  }
}

/** A refusal that closes the connection has a body even for HEAD, because the method is not known then. */
function isLast(
  { response, end }: { response: ServiceResponse; end: number },
  received: Buffer,
): boolean {
  return end === received.length || response.headers['connection'] === 'close'
}

/** Everything received until the connection closes; it is closed after some time without data. */
export async function sendBytes(
  port: number,
  pieces: readonly Buffer[],
  isOpenEnded: boolean,
): Promise<Buffer> {
  const socket = await open(port)
  const received: Buffer[] = []
  socket.setTimeout(QUIET_MS, () => socket.destroy())
  socket.on('data', (piece: Buffer) => received.push(piece))
  for (const piece of pieces) if (socket.writable) socket.write(piece)
  if (isOpenEnded) socket.end()
  if (!socket.destroyed) await once(socket, 'close').catch(() => undefined)
  return Buffer.concat(received)
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay().on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}
