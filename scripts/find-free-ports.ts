import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below the ephemeral ports, so that no outgoing connection takes the port of a server that is briefly down. */
const LOWEST = 15_000
const HIGHEST = 32_000

/** All of them held at once, so that none is handed out twice. */
export async function findFreePorts(count: number): Promise<number[]> {
  const held = new Map<number, Server>()
  while (held.size < count) {
    const port = randomInt(LOWEST, HIGHEST)
    const probe = await hold(port)
    if (probe !== undefined) held.set(port, probe)
  }
  await Promise.all([...held.values()].map((probe) => once(probe.close(), 'close')))
  return [...held.keys()]
}

async function hold(port: number): Promise<Server | undefined> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
    return probe
  } catch {
    return undefined
  }
}
