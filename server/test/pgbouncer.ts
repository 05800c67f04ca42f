/** Starts Debian's PgBouncer in front of the test database. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePorts } from '../../scripts/find-free-ports.ts'
import { postgresOwner } from '../../scripts/temporary-postgres.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

export async function startPgBouncer(databaseUrl: string, mode: 'session' | 'transaction') {
  const target = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'coffer-pgbouncer-'))
  const [port = 0] = await findFreePorts(1)
  const file = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  writeFileSync(users, `"${target.username}" ""\n`)
  writeFileSync(
    file,
    `[databases]
* = host=${target.hostname} port=${target.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = 50
ignore_startup_parameters = options
`,
  )
  const owner = postgresOwner()
  if (owner) for (const path of [folder, file, users]) chownSync(path, owner.uid, owner.gid)
  const server = spawn(PROGRAM, [file], { ...owner, cwd: folder, stdio: 'ignore' })
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)
  while (!(await accepts(port))) {
    if (server.exitCode !== null) throw new Error(`PgBouncer ended with ${server.exitCode}.`)
    await sleep(20)
  }
  target.port = String(port)
  return {
    url: target.href,
    async stop() {
      process.removeListener('exit', kill)
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
