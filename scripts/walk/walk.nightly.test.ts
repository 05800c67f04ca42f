/**
 * What an operator does on a new server, as the documents say it, on a clean Debian with a real systemd: install,
 * restart and upgrade under load, an upgrade that fails and the way back, backup, and a restore after the loss of the disk.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../copy-checkout.ts'
import { skipIf, skipWithout } from '../find-program.ts'
import { readBlocks } from '../read-blocks.ts'
import type { LoadOptions, LoadReport } from './send-load.ts'
import { type Debian, type ScriptFailed, startDebian } from './start-debian.ts'

const HOST = 'wallet.example'
const TEST = 'scripts/walk/walk.nightly.test.ts'
const PERSON = { firstName: 'Ada', lastName: 'Example', email: 'ada@example.com' }
const CLIENTS = 8

const isRoot = process.getuid?.() === 0
const mayUnshare = spawnSync('unshare', ['--mount', '--pid', '--net', 'true']).status === 0
const skip =
  skipWithout('debootstrap', 'debootstrap', 'nightly') ||
  skipIf(!(isRoot && mayUnshare) && 'It needs root and new namespaces.', 'nightly')

function blocksOf(page: string): string[] {
  const blocks = readBlocks(readFileSync(join(ROOT, page), 'utf8'))
  return blocks.filter(({ marks }) => marks['test'] === TEST).map(({ text: block }) => block)
}

for (const umask of ['022', '077']) {
  describe(`a new server, umask ${umask}`, { skip }, () => {
    const archives = mkdtempSync(join(tmpdir(), 'coffer-archives-'))
    const inbox: { to: string[]; text: string }[] = []
    let debian: Debian
    let shop: LoadOptions | undefined
    let balanceMinor = 0

    const run = (script: string) => debian.run(script, { umask })

    /** Sends load while something is done. No request may fail, and the balance must be what the responses say. */
    async function underLoad(test: TestContext, work: () => Promise<void>) {
      assert(shop, 'The installation failed.')
      const options = JSON.stringify({ ...shop, clients: CLIENTS })
      const script = join(import.meta.dirname, 'send-load.ts')
      const load = debian.startInNetwork(process.execPath, [script, options])
      assert(load.stdout)
      const output = text(load.stdout)
      await sleep(3_000)
      const startedMs = performance.now()
      try {
        await work()
      } finally {
        const seconds = (performance.now() - startedMs) / 1000
        await sleep(3_000)
        load.stdin?.end()
        const report = JSON.parse(await output) as LoadReport
        const sent = Object.values(report.sent).reduce((sum, count) => sum + count, 0)
        test.diagnostic(
          `${seconds.toFixed(0)} s, ${sent} requests, ${report.failures.length} failed, the longest took ${report.longestMs.toFixed(0)} ms`,
        )
        assert.deepEqual(report.failures.slice(0, 20), [])
        balanceMinor += report.changedMinor
        assert.equal(await readBalance(), balanceMinor)
      }
    }

    /** Downloading needs the network of this machine, whose ports the packages must not see. */
    async function download(blocks: string[]) {
      const apt = blocks.join('').match(/^apt-get .*$/gm) ?? []
      const lines = apt.map((line) => line.replace(' install ', ' install --download-only '))
      await debian.run(lines.join('\n'), { withNetwork: true })
    }

    const debit = (referenceId: string) =>
      post('/api/server/wallet/debit', {
        ...shop?.app,
        serviceUserId: shop?.serviceUserId,
        amount: '1',
        referenceType: 'ORDER_PAYMENT',
        referenceId,
      })

    async function post(path: string, body: object): Promise<Record<string, string>> {
      // The service answers the sign-in only to its own pages.
      const origin = path.includes('/auth/') ? `-H 'sec-fetch-site: same-origin'` : ''
      const headers = `-H 'content-type: application/json' ${origin}`
      const data = JSON.stringify(body).replaceAll("'", String.raw`'\''`)
      const answer = await run(
        `curl --silent --show-error --fail-with-body --cacert /etc/coffer/tls.crt ${headers} -d '${data}' https://${HOST}${path}`,
      )
      return JSON.parse(answer) as Record<string, string>
    }

    async function readBalance(): Promise<number> {
      assert(shop)
      const query = new URLSearchParams({ ...shop.app, serviceUserId: shop.serviceUserId })
      const answer = await run(
        `curl --silent --show-error --fail-with-body --cacert /etc/coffer/tls.crt 'https://${HOST}/api/server/wallet?${query}'`,
      )
      return Math.round((JSON.parse(answer) as { balance: number }).balance * 100)
    }

    /** Of the version that each process runs. */
    async function readVersions(): Promise<string[]> {
      const metrics = await run(
        `for port in 18081 18082; do curl --silent --show-error --fail http://127.0.0.1:$port/metrics | grep '^coffer_build_info'; done`,
      )
      return [...metrics.matchAll(/version="([^"]+)"/g)].map(([, version]) => version ?? '')
    }

    function pack(version: string) {
      const args = ['scripts/pack-archive.ts', archives, '--version', version]
      execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'ignore' })
      cpSync(archives, join(debian.root, 'root'), { recursive: true })
    }

    before(async () => {
      debian = await startDebian()
      const server = debian.startInNetwork(process.execPath, [
        join(import.meta.dirname, 'receive-mail.ts'),
      ])
      assert(server.stdout)
      createInterface(server.stdout).on('line', (line) => {
        inbox.push(JSON.parse(line) as (typeof inbox)[number])
      })
      const names = ['', 'account.', 'admin.', 'docs.'].map((sub) => `${sub}${HOST}`)
      await run(`echo 127.0.0.1 ${names.join(' ')} >>/etc/hosts`)
    })
    after(async () => {
      await debian.stop()
      rmSync(archives, { recursive: true, force: true })
    })

    it('is installed, has an operator and an app, and takes a debit', async (test) => {
      const blocks = blocksOf('docs/install.md')
      pack('0.1.0')
      const startedMs = performance.now()
      const lap = () => `${((performance.now() - startedMs) / 1000).toFixed(0)} s`
      await download(blocks)
      test.diagnostic(`packages downloaded: ${lap()}`)
      const output = await run(`cd /root\n${blocks.join('\n')}`)
      test.diagnostic(`installed: ${lap()}`)
      const value = (name: string) =>
        new RegExp(`^\\s*${name}=(\\S+)$`, 'm').exec(output)?.[1] ?? assert.fail(output)
      const app = {
        clientId: value('COFFER_CLIENT_ID'),
        clientSecret: value('COFFER_CLIENT_SECRET'),
      }
      const newcomer = { ...PERSON, clientId: app.clientId, password: 'a sound passphrase' }
      const { ticket = '' } = await post('/api/widget/auth/sign-up', newcomer)
      const code = /^\d{6}$/m.exec(await waitForMail(PERSON.email))?.[0]
      const { serviceUserId = '' } = await post('/api/widget/auth/verify', { ticket, code })
      const order = { ...app, serviceUserId, referenceType: 'ORDER_PAYMENT' }
      await post('/api/server/wallet/credit', { ...order, amount: '1000', referenceId: 'gift' })
      const { balance } = await post('/api/server/wallet/debit', {
        ...order,
        amount: '19.99',
        referenceId: 'order-1',
      })
      assert.equal(balance, 980.01)
      test.diagnostic(`first debit: ${lap()}`)
      balanceMinor = 98_001
      const ca = readFileSync(join(debian.root, 'etc/coffer/tls.crt'), 'utf8')
      shop = { host: HOST, ca, app, serviceUserId, clients: CLIENTS }
      assert.deepEqual(await readVersions(), ['0.1.0', '0.1.0'])
    })

    it('restarts without a failed request', async (test) => {
      await underLoad(test, async () => {
        await run('coffer restart')
      })
    })

    it('is upgraded without a failed request', async (test) => {
      pack('0.1.1')
      await underLoad(test, async () => {
        await run(`cd /root\nversion=0.1.1\n${blocksOf('docs/upgrade.md').join('\n')}`)
      })
      assert.deepEqual(await readVersions(), ['0.1.1', '0.1.1'])
    })

    it('survives an upgrade to a version that does not start, and goes back', async (test) => {
      pack('0.1.2')
      const folder = 'coffer-0.1.2-linux-x64'
      await run(`cd /root; tar xzf ${folder}.tar.gz
        sed -i 's/const { log } = options/throw new Error("This version is broken.")/' ${folder}/server/start-service.js
        grep -q 'This version is broken' ${folder}/server/start-service.js`)
      await underLoad(test, async () => {
        const failure = await run(`/root/${folder}/install.sh`).then(
          (output) => assert.fail(output),
          (error: ScriptFailed) => error.output,
        )
        test.diagnostic(failure.split('\n').slice(-12).join('\n'))
        const [way] = /\/opt\/coffer\/0\.1\.1\/install\.sh/.exec(failure) ?? assert.fail(failure)
        await run(way)
      })
      assert.deepEqual(await readVersions(), ['0.1.1', '0.1.1'])
    })

    it('is backed up, loses its disk, and has every archived operation after the restore', async (test) => {
      const [setUp = '', rehearse = '', restore = ''] = blocksOf('docs/backup.md')
      await download([setUp])
      await run(setUp)
      assert.match(await run(rehearse), /The books are sound/)
      // The load goes on while a second backup is made; what it posts until the end is archived.
      await underLoad(test, async () => {
        await run('systemctl start coffer-backup@diff')
      })
      await run(`runuser -u postgres -- psql --quiet --command='select pg_switch_wal()'
        runuser -u postgres -- pgbackrest --stanza=coffer check`)
      await run(`systemctl kill --signal=KILL postgresql@15-main
        rm -r /var/lib/postgresql/15/main/base
        for file in /var/lib/postgresql/15/main/pg_wal/0*; do dd if=/dev/urandom of=$file bs=1M count=1 conv=notrunc; done`)
      const startedMs = performance.now()
      const output = await run(`echo restore | ${restore}`)
      test.diagnostic(`restored in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
      assert.match(output, /The books are sound/)
      await run('systemctl start coffer@8081 coffer@8082; coffer restart')
      assert.equal(await readBalance(), balanceMinor)
      await assert.rejects(debit('after-restore'), /WRITES_PAUSED|SERVICE_UNAVAILABLE|paused/i)
      await run('coffer resume')
      await debit('after-resume')
      await run('systemctl start coffer-backup@full')
    })

    it('has correct books at the end, and a doctor without errors', async () => {
      await run('coffer verify')
      const report = await run(
        'NODE_EXTRA_CA_CERTS=/etc/coffer/tls.crt coffer doctor --mail-to you@example.com',
      )
      assert.match(report, / 0 errors/)
    })

    async function waitForMail(to: string): Promise<string> {
      for (let tries = 0; tries < 100; tries++) {
        const mail = inbox.find((each) => each.to.includes(to))
        if (mail) return mail.text
        await sleep(100)
      }
      return assert.fail(`No email to ${to}.`)
    }
  })
}
