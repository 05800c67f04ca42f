import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findNetwork, readAddress } from './read-address.ts'

describe('the network of an address', () => {
  it('is the address itself for IPv4, also if it is written as IPv6', () => {
    for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '::FFFF:c000:207']) {
      assert.equal(findNetwork(address), '192.0.2.7')
    }
  })

  it('is the /64 for IPv6, in every spelling', () => {
    const same = [
      '2001:db8:0:1::1',
      '2001:DB8::1:ffff:ffff:ffff:ffff',
      '2001:0db8:0000:0001:0:0:0:0',
      '2001:db8:0:1::192.0.2.7',
      '2001:db8:0:1::1%eth0',
    ]
    for (const address of same) assert.equal(findNetwork(address), '2001:db8:0:1::/64', address)
    const others = ['2001:db8:0:2::1', '2001:db8::1', '2001:db9:0:1::1', '::1', '192.0.2.7']
    assert.equal(new Set(others.map(findNetwork)).size, others.length)
    assert.equal(findNetwork('::1'), '0:0:0:0::/64')
  })

  it('is that of the IPv6 address if the IPv4 address in it is not a mapped one', () => {
    assert.equal(findNetwork('::192.0.2.7'), '0:0:0:0::/64')
    assert.equal(findNetwork('64:ff9b::192.0.2.7'), '64:ff9b:0:0::/64')
  })

  it('is whatever is given if it is not an address', () => {
    assert.deepEqual(['', 'unknown'].map(findNetwork), ['', 'unknown'])
  })
})

describe('the address of a request', () => {
  const read = (ip: string, remoteAddress: string | undefined) =>
    readAddress({ ip, socket: { remoteAddress } } as Parameters<typeof readAddress>[0])

  it('is the reported one if it is an IP address, and else that of the connection', () => {
    assert.equal(read('203.0.113.7', '10.0.0.1'), '203.0.113.7')
    assert.equal(read('2001:db8::7', '10.0.0.1'), '2001:db8::7')
    for (const forged of [
      '',
      'localhost',
      '203.0.113.7:80',
      '203.0.113.777',
      '<script>',
      "' or 1",
    ]) {
      assert.equal(read(forged, '10.0.0.1'), '10.0.0.1')
    }
    assert.equal(read('nonsense', undefined), '')
  })
})
