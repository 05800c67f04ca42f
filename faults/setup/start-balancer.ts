/** One address in front of the service processes: HAProxy. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readVersion } from './read-version.ts'

export interface Balancer {
  name: string
  url: string
  stop(): Promise<void>
}

export interface BalancerOptions {
  port: number
  /** Ports of the processes. */
  ports: readonly number[]
  folder: string
}

const PROGRAM = 'haproxy'

/** Similar to deploy/haproxy.cfg. It retries a request on another process only if the first could not be reached at all. */
function configure({ port, ports }: BalancerOptions): string {
  const servers = ports.map((each) => `  server coffer${each} 127.0.0.1:${each} check`)
  return `global
  maxconn 4000
defaults
  mode http
  option redispatch 1
  retries 3
  timeout connect 2s
  timeout client 65s
  timeout server 15s
  timeout http-request 10s
  timeout http-keep-alive 65s
frontend wallet
  bind 127.0.0.1:${port}
  default_backend coffer
backend coffer
  balance leastconn
  option httpchk GET /readyz
  default-server inter 500ms fall 2 rise 1
${servers.join('\n')}
`
}

export async function startBalancer(options: BalancerOptions): Promise<Balancer> {
  const version = readVersion(PROGRAM, '-v')
  if (version === undefined)
    throw new Error('HAProxy is not installed (Debian: apt-get install haproxy).')
  const file = join(options.folder, 'haproxy.cfg')
  writeFileSync(file, configure(options))
  const child = spawn(PROGRAM, ['-db', '-q', '-f', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const endForSure = () => child.kill('SIGKILL')
  process.once('exit', endForSure)
  await waitUntilOpen(options.port)
  return {
    name: `HAProxy ${version}`,
    url: `http://127.0.0.1:${options.port}`,
    async stop() {
      process.removeListener('exit', endForSure)
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

async function waitUntilOpen(port: number) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await sleep(50)
  }
  throw new Error(`Nothing listens on port ${port}.`)
}
