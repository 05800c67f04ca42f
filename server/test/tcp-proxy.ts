/** Stands between the service and PostgreSQL and cuts the line at the worst moments. */
import { connect, createServer, type Socket } from 'node:net'
import { once } from 'node:events'

export interface TcpProxy {
  url: string
  /** Cuts the next connection that sends COMMIT: before the bytes arrive, or after, so that only the answer is lost. */
  cutNextCommit(when: 'before' | 'after'): void
  /** Cuts every connection and lets none through until it is called with false. */
  refuse(isRefusing: boolean): void
  readonly cuts: number
  stop(): Promise<void>
}

export async function startTcpProxy(databaseUrl: string): Promise<TcpProxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let armed: 'before' | 'after' | undefined
  let cuts = 0
  let isRefusing = false

  const server = createServer((fromService) => {
    if (isRefusing) {
      fromService.destroy()
      return
    }
    const toDatabase = connect(Number(target.port), target.hostname)
    let isMute = false
    for (const socket of [fromService, toDatabase]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        fromService.destroy()
        if (!isMute) toDatabase.destroy()
      })
    }
    fromService.on('data', (bytes) => {
      if (armed === undefined || !bytes.includes('commit')) {
        toDatabase.write(bytes)
        return
      }
      cuts++
      isMute = true
      if (armed === 'after') toDatabase.write(bytes, () => setTimeout(() => toDatabase.end(), 200))
      else toDatabase.destroy()
      armed = undefined
      fromService.destroy()
    })
    toDatabase.on('data', (bytes) => {
      if (!isMute) fromService.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof address === 'object' ? address?.port : 0)
  return {
    url: url.href,
    cutNextCommit(when) {
      armed = when
    },
    refuse(isOn) {
      isRefusing = isOn
      if (isOn) for (const socket of sockets) socket.destroy()
    },
    get cuts() {
      return cuts
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
