/**
 * Runs the blocks of "Install" in docs/install.md, as they are written, with the package, a PostgreSQL with SCRAM and
 * nginx. What differs: the folders are below a temporary one, 127.0.0.1 is another address of this machine, packages and
 * users are not installed, and the commands of the units are started without systemd.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { type MailServer, startMailServer } from '../server/test/mail-server.ts'
import { ROOT } from './copy-checkout.ts'
import { findProgram, skipIf, skipWithout } from './find-program.ts'
import { readBlocks } from './read-blocks.ts'
import { findBinFolder, postgresOwner } from './temporary-postgres.ts'

const run = promisify(execFile)
const NGINX = findProgram('nginx')
const NAMES = globSync('/usr/lib/*/libnss_wrapper.so')[0]
const skip =
  skipWithout('nginx') ||
  skipWithout('curl') ||
  skipIf(!NAMES && 'nss_wrapper is not installed (Debian: apt-get install libnss-wrapper).')
/** Ten minutes is the promise; the rest is for a busy machine. */
const INSTALL_MS = 10 * 60_000

/**
 * Starts the command of a unit in its environment. A shell reads environment files and commands like systemd, except for
 * `%` and `$`. systemd-analyze checks the other settings of the units (scripts/deploy-systemd.test.ts).
 */
const START = `
  setting() { sed -n "s/^$1=//p" "$0" | sed "s|%i|$port|g; s|%C|$0.cache|g; s|%%|%|g; s|[$][$]|$|g"; }
  port=$1 file=$(setting EnvironmentFile)
  set -a
  eval "$(setting Environment)"
  . "$file"
  eval "exec $(setting ExecStart)"`

/** Fetches its proof by each name, as the authority does, and stores a certificate. */
const CERTBOT = `
  umask 022
  live=$root/etc/letsencrypt/live/coffer names=
  while [ $# -gt 0 ]; do
    case $1 in
      --webroot-path) place=$2/.well-known/acme-challenge ;;
      --domain) names="$names$2 " ;;
    esac
    shift
  done
  mkdir -p "$place" "$live"
  for name in $names; do
    echo "$name" >"$place/token"
    [ "$(curl -sS --fail "http://$name/.well-known/acme-challenge/token")" = "$name" ]
  done
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 90 -subj /CN=certbot \\
    -addext "subjectAltName=DNS:$(echo $names | sed 's/ /,DNS:/g')" -keyout "$live/privkey.pem" -out "$live/fullchain.pem"`

const blocks = readBlocks(readFileSync(join(ROOT, 'docs/install.md'), 'utf8')).filter(
  ({ marks }) => marks['test'] === 'scripts/install.test.ts',
)

describe('docs/install.md, Install', { skip }, () => {
  // Nobody else uses this address, so that the ports can be the documented ones.
  const address = `127.${randomInt(1, 255)}.${randomInt(255)}.${randomInt(1, 255)}`
  const root = mkdtempSync(join(tmpdir(), 'coffer-install-'))
  const bin = join(root, 'stand-ins')
  const data = join(root, 'postgres')
  const owner = postgresOwner()
  let mail: MailServer
  const units: ChildProcess[] = []
  let nginx: ChildProcess | undefined
  let journal = ''
  let control: Server

  const adapt = (text: string) =>
    text
      .replaceAll(/(?<![\w.\]])\/(etc|opt|usr\/local|var|run)\//g, `${root}/$1/`)
      .replaceAll('smtp://127.0.0.1:25', mail.env.SMTP_URL)
      .replaceAll(/(?<!smtp:\/\/)127\.0\.0\.1/g, address)
      .replaceAll(/listen (80|443)\b/g, `listen ${address}:$1`)

  const standIn = (name: string, script: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

  const postgres = (program: string, ...args: string[]) =>
    execFileSync(join(findBinFolder(), program), args, { ...owner, cwd: '/', stdio: 'ignore' })

  function startPostgres() {
    mkdirSync(data)
    if (owner) chownSync(data, owner.uid, owner.gid)
    const auth = ['--auth-local=trust', '--auth-host=scram-sha-256']
    postgres('initdb', '-D', data, '-U', 'postgres', '--encoding=UTF8', '--locale=C.UTF-8', ...auth)
    writeFileSync(
      join(data, 'postgresql.conf'),
      `listen_addresses = '${address}'\nunix_socket_directories = '${data}'\n`,
    )
    postgres('pg_ctl', 'start', '-w', '-D', data, '-l', join(data, 'log'))
  }

  /** What npm does, without the network: unpacks the package, links its dependencies, links its command. */
  async function install(prefix: string) {
    const folder = join(prefix, 'lib/node_modules/@coffer/server')
    mkdirSync(folder, { recursive: true })
    const tar = ['xzf', join(root, 'coffer-server.tgz'), '-C', folder, '--strip-components=1']
    await run('tar', tar)
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    mkdirSync(join(prefix, 'bin'))
    symlinkSync('../lib/node_modules/@coffer/server/bin/coffer', join(prefix, 'bin/coffer'))
    for (const file of globSync('deploy/{nginx.conf,systemd/*}', { cwd: folder })) {
      writeFileSync(join(folder, file), adapt(readFileSync(join(folder, file), 'utf8')))
    }
  }

  function startUnit(name: string): ChildProcess {
    const [unit = '', port = ''] = name.split('@')
    const file = join(root, 'etc/systemd/system', `${unit}${port && '@'}.service`)
    const [command, ...args] =
      name === 'nginx'
        ? [NGINX ?? '', '-c', `${root}/etc/nginx/nginx.conf`, '-g', 'daemon off;']
        : ['sh', '-ec', START, file, port]
    const child = spawn(command, args, { env: { PATH: process.env['PATH'] } })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece) => (journal += String(piece)))
    }
    units.push(child)
    if (name === 'nginx') nginx = child
    return child
  }

  async function systemctl(words: string[]) {
    for (const name of words) {
      if (words[0] === 'reload') return void nginx?.kill('SIGHUP')
      if (name === 'postgresql') postgres('pg_ctl', 'restart', '-w', '-D', data, '-m', 'fast')
      if (/^nginx$|^coffer@/.test(name)) startUnit(name)
      if (name === 'coffer-backup') {
        const [code] = await once(startUnit(name), 'exit')
        assert.equal(code, 0, journal)
      }
    }
  }

  before(async () => {
    chmodSync(root, 0o755)
    const folders = [
      'etc/nginx',
      'etc/systemd/system',
      'usr/local/bin',
      'opt',
      'run',
      'var/backups',
    ]
    for (const folder of [...folders, 'var/log/nginx', 'var/lib/nginx', 'stand-ins']) {
      mkdirSync(join(root, folder), { recursive: true })
    }
    mail = await startMailServer()
    const hosts = ['', 'account.', 'admin.', 'docs.'].map(
      (sub) => `${address} ${sub}wallet.example`,
    )
    writeFileSync(join(root, 'hosts'), `127.0.0.1 localhost\n${hosts.join('\n')}\n`)
    control = createServer((request, response) => {
      const [program, ...words] = (request.headers['x-words'] as string).split(' ')
      const done = program === 'npm' ? install(words[3] ?? '') : systemctl(words)
      done.then(
        () => response.end(),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
    }).listen(join(root, 'control'))
    const call = `curl -sS --fail-with-body --unix-socket ${root}/control http://stand-in/ -H`
    standIn('npm', `exec ${call} "x-words: npm $*"`)
    standIn('systemctl', `exec ${call} "x-words: systemctl $*"`)
    standIn('apt-get', 'exit 0')
    standIn('useradd', 'exit 0')
    standIn('chown', 'id -u "$1" >/dev/null 2>&1 && /bin/chown "$@" || exit 0')
    standIn('runuser', `shift 3; PGUSER=postgres PGHOST=${data} exec "$@"`)
    standIn('nginx', `exec ${NGINX} -c ${root}/etc/nginx/nginx.conf "$@"`)
    standIn('certbot', `[ "$1" = renew ] || (set -eu; root=${root}; ${CERTBOT})`)
    startPostgres()
    await run(process.execPath, [join(ROOT, 'scripts/pack-server.ts'), root])
  })

  after(async () => {
    for (const unit of units) {
      if (unit.exitCode === null && unit.kill('SIGINT')) await once(unit, 'exit')
    }
    control.close()
    postgres('pg_ctl', 'stop', '-w', '-D', data, '-m', 'immediate')
    await mail.stop()
    rmSync(root, { recursive: true, force: true })
  })

  async function readCommonName() {
    const socket = connect({ host: address, port: 443, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    const { subject } = socket.getPeerCertificate()
    socket.destroy()
    return subject.CN
  }

  it('works when it is pasted, in ten minutes or less', async (test) => {
    assert.equal(blocks.length, 9)
    const script = blocks.map(({ text }) => adapt(text)).join('\n')
    const startedMs = performance.now()
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: root,
      timeout: INSTALL_MS,
      env: {
        PATH: `${bin}:${join(root, 'usr/local/bin')}:${process.env['PATH']}`,
        LD_PRELOAD: NAMES,
        NSS_WRAPPER_HOSTS: join(root, 'hosts'),
      },
    }).catch((error: { stdout: string; stderr: string }) =>
      assert.fail(`${error.stdout}\n${error.stderr}\n${journal.slice(-3_000)}`),
    )
    test.diagnostic(`The sequence took ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`)
    assert.match(stdout, /COFFER_CLIENT_SECRET=/)
    assert.match(stdout, /✓ The WAL is archived/)
    assert.match(stdout, /✓ The newest backup in /)
    assert.equal(mail.count('you@example.com', /Coffer can send email/), 1)
    assert.match(stdout, /✓ https:\/\/wallet\.example\/widget\/wallet responds\./)
    assert.match(stdout, /✓ The certificate of admin\.wallet\.example expires in \d+ days\./)
    assert.match(stdout, /\n\d+ OK, 2 warnings, 0 errors\n$/)
    // nginx starts new workers, which takes a moment.
    for (let tries = 0; (await readCommonName()) !== 'certbot'; tries++) {
      assert(tries < 100, 'nginx still has the old certificate')
      await sleep(100)
    }
  })

  it('has a package that needs nothing of the repository', () => {
    const folder = join(root, 'opt/coffer/0.1.0/lib/node_modules/@coffer/server')
    const sources = globSync('{server,contract}/**/*.{js,ts}', { cwd: folder })
    assert(sources.length > 300)
    const faults = sources.filter(
      (file) =>
        /\.ts$|\.test\.|^server\/test\//.test(file) ||
        /@coffer\/|from '\.[^']*\.ts'/.test(readFileSync(join(folder, file), 'utf8')),
    )
    assert.deepEqual(faults, [])
    const help = execFileSync(join(root, 'usr/local/bin/coffer'), ['--help'], { encoding: 'utf8' })
    assert.match(help, /^Usage: coffer/)
  })
})
