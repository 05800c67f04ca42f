/** The attack: somebody between the service and PostgreSQL reads the connection, or answers instead of the server. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import {
  postgresOwner,
  startTemporaryPostgres,
  type TemporaryPostgres,
} from '../../scripts/temporary-postgres.ts'
import { Ledger } from '../ledger/ledger.ts'
import { clientConfig } from './connect.ts'
import { migrate } from './migrate.ts'

describe('TLS to PostgreSQL with sslmode=verify-full', () => {
  let folder: string
  let postgres: TemporaryPostgres

  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

  function createAuthority(name: string) {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`]
    openssl('req', '-x509', ...NEW_KEY, ...files, '-days', '2', '-subj', `/CN=${name}`)
  }

  /** Signed by `authority`, for the address but not for the name of this machine. */
  function createCertificate(authority: string) {
    openssl('req', ...NEW_KEY, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=db')
    writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:db.internal')
    const signer = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial']
    const files = ['-in', 'server.csr', '-out', 'server.pem', '-extfile', 'names']
    openssl('x509', '-req', ...files, ...signer, '-days', '2')
  }

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'coffer-tls-'))
    createAuthority('ours')
    createAuthority('other')
    createCertificate('ours')
    writeFileSync(join(folder, 'hba'), 'hostssl all all 127.0.0.1/32 trust\n')
    const owner = postgresOwner()
    const files = ['server.key', 'server.pem', 'hba']
    for (const file of files) chmodSync(join(folder, file), 0o600)
    if (owner) {
      for (const file of ['.', ...files]) chownSync(join(folder, file), owner.uid, owner.gid)
    }
    const settings = {
      fsync: 'off',
      ssl: 'on',
      ssl_cert_file: join(folder, 'server.pem'),
      ssl_key_file: join(folder, 'server.key'),
      hba_file: join(folder, 'hba'),
    }
    postgres = await startTemporaryPostgres({ settings })
  })
  after(async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  })

  function urlOf(authority: string, hostname = '127.0.0.1'): string {
    const url = Object.assign(new URL(postgres.url), { hostname })
    url.searchParams.set('sslmode', 'verify-full')
    url.searchParams.set('sslrootcert', join(folder, `${authority}.pem`))
    return url.href
  }

  async function connect(url: string): Promise<string> {
    const client = new pg.Client({ ...clientConfig(url), options: '' })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return 'connected'
    } catch (error) {
      return (error as Error).message
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  it('encrypts every connection of migrations and of the ledger', async () => {
    const url = urlOf('ours')
    await migrate(url, () => undefined)
    const ledger = new Ledger({ databaseUrl: url })
    const walletId = await ledger.openWallet()
    await ledger.post({
      kind: 'bonus',
      walletId,
      amountMinor: 1n,
      counterAccount: 2,
      referenceType: 'TLS',
      referenceId: 'one',
      description: null,
    })
    const client = new pg.Client(clientConfig(url))
    await client.connect()
    await client.query('set role none')
    const { rows } = await client.query(
      `select count(*)::int as all, count(*) filter (where ssl)::int as encrypted
       from pg_stat_ssl join pg_stat_activity using (pid) where application_name = 'coffer'`,
    )
    await client.end()
    await ledger.close()
    assert.ok(rows[0].all >= 3, `${rows[0].all} connections`)
    assert.equal(rows[0].encrypted, rows[0].all)
  })

  it('refuses a server whose certificate is signed by somebody else', async () => {
    assert.match(await connect(urlOf('other')), /certificate|self-signed/)
  })

  it('refuses a server whose certificate is for another name', async () => {
    assert.match(await connect(urlOf('ours', 'localhost')), /does not match certificate/)
  })

  it('is required by a server with hostssl in pg_hba.conf', async () => {
    assert.match(await connect(postgres.url), /no encryption/)
  })
})
