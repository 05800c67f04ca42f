import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { after, before, describe, it } from 'node:test'
import { examineCertificate } from './examine-hosts.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const CONFIG = `[ca]
default_ca = own
[own]
database = index
unique_subject = no
new_certs_dir = .
rand_serial = yes
default_md = sha256
copy_extensions = copy
policy = any
[any]
commonName = optional
`

describe('the certificate of a host', () => {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-certificates-'))
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const known = getCACertificates('default')
  before(() => {
    writeFileSync(join(folder, 'config'), CONFIG)
    writeFileSync(join(folder, 'index'), '')
  })
  after(() => {
    setDefaultCACertificates(known)
    rmSync(folder, { recursive: true })
  })

  async function examine(
    [fromDays, toDays]: [number, number],
    { name = 'localhost', isTrusted = true } = {},
  ) {
    const days = [fromDays, toDays].map((day) =>
      new Date(Date.now() + day * DAY_MS).toISOString().replaceAll(/[-:T]|\.\d+/g, ''),
    )
    const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const names = ['-subj', '/CN=a', '-addext', `subjectAltName=DNS:${name}`]
    openssl('req', '-new', ...ec, ...names, '-keyout', 'key', '-out', 'request')
    const dates = ['-startdate', days[0] ?? '', '-enddate', days[1] ?? '']
    const made = ['-selfsign', '-keyfile', 'key', '-in', 'request', '-out', 'certificate']
    openssl('ca', '-config', 'config', '-batch', '-notext', ...made, ...dates)
    const [key, cert] = ['key', 'certificate'].map((file) =>
      readFileSync(join(folder, file), 'utf8'),
    ) as [string, string]
    setDefaultCACertificates(isTrusted ? [...known, cert] : known)
    const server = createServer({ key, cert }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { state, text, fix } =
      (await examineCertificate(new URL(`https://localhost:${port}`))) ?? assert.fail()
    server.close()
    return `${state}: ${text}${fix === undefined ? '' : ` → ${fix}`}`
  }

  const dayAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

  it('is fine for 21 days or more', async () => {
    assert.equal(await examine([-1, 21.5]), 'ok: The certificate of localhost expires in 21 days.')
  })

  it('should have been renewed if fewer days are left', async () => {
    assert.match(
      await examine([-70, 20.5]),
      /^warning: .* expires in 20 days\. Its automatic renewal does not work: .* → Run certbot renew --dry-run/,
    )
  })

  it('has expired, or is not valid yet', async () => {
    assert.match(
      await examine([-90, -3]),
      new RegExp(
        `^error: .* expired on ${dayAfter(-3)}\\. → Renew it, then reload the proxy: certbot renew`,
      ),
    )
    assert.match(
      await examine([2, 90]),
      new RegExp(
        `^error: .* is not valid before ${dayAfter(2)}\\. → Check the clock of this machine`,
      ),
    )
  })

  it('is for other names, or of an unknown authority', async () => {
    assert.match(
      await examine([-1, 90], { name: 'shop.example' }),
      /^error: .* is for other names: shop\.example\. → Request a certificate that contains localhost,/,
    )
    assert.match(
      await examine([-1, 90], { isTrusted: false }),
      /^error: .* is self-signed, so browsers refuse it\. → Use a certificate of a public authority/,
    )
  })

  it('is not examined if nothing responds with TLS', async () => {
    assert.equal(await examineCertificate(new URL('https://127.0.0.1:1')), undefined)
  })
})
