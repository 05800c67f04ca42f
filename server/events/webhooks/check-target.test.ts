/** Hostile targets: none is reached, and each is refused with a reason. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { openDnsServer } from '../../test/events/dns-server.ts'
import { checkTarget, isPublic, TargetRefused, type Rules } from './check-target.ts'
import { createSender } from './send-request.ts'

const PRIVATE = /must lead to a public address: this one is private or reserved/
const HTTPS = /must begin with https:/
const PORT = /must have the port 443 or one from 1024/
const NO_URL = /must be an absolute URL/
const USER = /must not contain a user name or a password/
const UNKNOWN = /does not resolve/

/** P: the port of a server on this machine that must never be reached. */
const HOSTILE: [string, RegExp][] = [
  ...[
    'https://127.0.0.1:P/',
    'https://127.0.0.1./',
    'https://127.1:P/',
    'https://127.255.255.254:P/',
    'https://0x7f000001:P/',
    'https://0x7f.0.0.1:P/',
    'https://017700000001:P/',
    'https://0177.0.0.01:P/',
    'https://2130706433:P/',
    'https://①②⑦.⓪.⓪.①:P/',
    'https://0.0.0.0:P/',
    'https://0:P/',
    'https://10.0.0.1:P/',
    'https://10.255.255.255/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.0.0.1/',
    'https://192.0.2.1/',
    'https://192.88.99.1/',
    'https://192.168.0.1/',
    'https://192.168.255.255/',
    'https://198.18.0.1/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://224.0.0.1/',
    'https://239.255.255.255/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[::1]:P/',
    'https://[0:0:0:0:0:0:0:1]:P/',
    'https://[::]:P/',
    'https://[::ffff:127.0.0.1]:P/',
    'https://[::ffff:7f00:1]:P/',
    'https://[::ffff:10.0.0.1]/',
    'https://[::ffff:8.8.8.8]/',
    'https://[::127.0.0.1]:P/',
    'https://[64:ff9b::127.0.0.1]:P/',
    'https://[64:ff9b::a00:1]/',
    'https://[64:ff9b:1::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:a00:1::1]/',
    'https://[2001::1]/',
    'https://[2001:db8::1]/',
    'https://[fc00::1]/',
    'https://[fd12:3456::1]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://[100::1]/',
    'https://[3fff::1]/',
    'https://[5f00::1]/',
    'https://[4000::1]/',
    'https://localhost.test:P/',
    'https://LOCALHOST.test.:P/',
    'https://ten.test/',
    'https://six.test:P/',
    'https://mapped.test:P/',
    'https://metadata.test/latest/',
    'https://mixed.test:P/',
  ].map((url): [string, RegExp] => [url, PRIVATE]),
  ['https://unknown.test:P/', UNKNOWN],
  ['https://empty.test:P/', UNKNOWN],
  ['http://127.0.0.1:P/', HTTPS],
  ['http://public.test/', HTTPS],
  ['ftp://public.test/', HTTPS],
  ['file:///etc/passwd', HTTPS],
  ['gopher://127.0.0.1:P/', HTTPS],
  ['https://user@public.test/', USER],
  ['https://user:password@public.test/', USER],
  ['https://public.test@127.0.0.1:P/', USER],
  ['https://public.test:22/', PORT],
  ['https://public.test:25/', PORT],
  ['https://public.test:80/', PORT],
  ['https://public.test:1023/', PORT],
  ['https://public.test:0/', PORT],
  ['https://public.test/#part', /must not contain #/],
  ['//public.test/', NO_URL],
  ['public.test', NO_URL],
  ['https://', NO_URL],
  ['https://[fe80::1%25eth0]/', NO_URL],
  [`https://public.test/${'a'.repeat(2_048)}`, NO_URL],
]

const ZONE = {
  'public.test': [['93.184.215.14', '2606:2800:21f::1']],
  'localhost.test': [['127.0.0.1']],
  'ten.test': [['10.1.2.3']],
  'six.test': [['::1']],
  'mapped.test': [['0:0:0:0:0:ffff:7f00:1']],
  'metadata.test': [['169.254.169.254']],
  'mixed.test': [['93.184.215.14', '127.0.0.1']],
  'empty.test': [[]],
  'rebinding.test': [['93.184.215.14'], ['127.0.0.1']],
}

describe('the target of a webhook', () => {
  let names: Awaited<ReturnType<typeof openDnsServer>>
  const traps: Server[] = []
  let reached = 0
  let port = 0
  let rules: Rules
  before(async () => {
    names = await openDnsServer(ZONE)
    rules = { allowsLoopback: false, resolve: (name) => names.resolve(name) }
    for (const host of ['127.0.0.1', '::1']) {
      const trap = createServer((socket) => {
        reached++
        socket.destroy()
      })
      trap.listen(port, host)
      await once(trap, 'listening')
      ;({ port } = trap.address() as AddressInfo)
      traps.push(trap)
    }
  })
  after(() => {
    names.close()
    for (const trap of traps) trap.close()
  })

  it('is refused with a reason, when it is entered and when a request is sent', async () => {
    assert(HOSTILE.length >= 60)
    const sender = createSender(rules)
    for (const [template, reason] of HOSTILE) {
      const url = template.replace(':P', `:${port}`)
      await assert.rejects(checkTarget(url, rules), (error) => {
        assert(error instanceof TargetRefused, url)
        assert.match(error.message, reason, url)
        return true
      })
      const { status, error } = await sender.send({ url, headers: {}, body: '{}' }, 2_000)
      assert.equal(status, null, url)
      assert.match(error ?? '', reason, url)
    }
    sender.close()
    assert.equal(reached, 0)
  })

  it('is checked again by the lookup of the connection: a name that changes its address is not reached', async () => {
    const url = `https://rebinding.test:${port}/`
    await checkTarget(url, rules)
    const sender = createSender(rules)
    const { error } = await sender.send({ url, headers: {}, body: '{}' }, 2_000)
    sender.close()
    assert.match(error ?? '', PRIVATE)
    assert.equal(reached, 0)
  })

  it('is accepted if it is public', async () => {
    for (const url of [
      'https://public.test/',
      'https://public.test:8443/hooks?shop=1',
      'https://93.184.215.14/',
      'https://[2606:2800:21f::1]/',
    ]) {
      await checkTarget(url, rules)
    }
    assert(isPublic('8.8.8.8') && isPublic('2001:4860:4860::8888'))
    assert(!isPublic('localhost') && !isPublic(''))
  })

  it('can be on this machine only if the configuration allows it, and then nowhere else in private networks', async () => {
    const open = { ...rules, allowsLoopback: true }
    const sender = createSender(open)
    for (const host of ['127.0.0.1', '[::1]']) {
      const { error } = await sender.send(
        { url: `http://${host}:${port}/`, headers: {}, body: '{}' },
        2_000,
      )
      assert.match(error ?? '', /closed the connection/)
    }
    sender.close()
    assert.equal(reached, 2)
    await assert.rejects(checkTarget('http://10.0.0.1/', open), HTTPS)
    await assert.rejects(checkTarget('https://10.0.0.1/', open), PRIVATE)
    await assert.rejects(checkTarget('http://public.test/', open), HTTPS)
  })
})
