import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  chooseEtcdApi,
  configureEtcd,
  configureHaproxy,
  configurePatroni,
} from './configure-cluster.ts'

const nodes = [1, 2, 3].map((each) => ({
  name: `pg${each}`,
  folder: `/somewhere/pg${each}`,
  restPort: 8000 + each,
  postgresPort: 5000 + each,
}))
const plan = {
  binFolder: '/bin',
  etcdApi: 'etcd3' as const,
  etcdPort: 1,
  etcdPeerPort: 2,
  balancerPort: 3,
  messages: 'de_DE.UTF-8',
  nodes,
}

interface Patroni {
  name: string
  etcd3: { host: string }
  bootstrap: {
    dcs: Record<string, unknown> & { ttl: number; loop_wait: number; retry_timeout: number }
  }
}

describe('the cluster', () => {
  const [node] = nodes
  const patroni = JSON.parse(configurePatroni(plan, node as (typeof nodes)[0])) as Patroni

  it('acknowledges nothing without a synchronous standby', () => {
    const { dcs } = patroni.bootstrap
    assert.equal(dcs['synchronous_mode'], true)
    assert.equal(dcs['synchronous_mode_strict'], true)
  })

  it('gives a leader time for two attempts before its lease expires, as Patroni requires', () => {
    const { ttl, loop_wait: loop, retry_timeout: retry } = patroni.bootstrap.dcs
    assert(loop + 2 * retry <= ttl)
  })

  it('uses the same addresses in all configurations', () => {
    assert.equal(patroni.etcd3.host, '127.0.0.1:1')
    assert(configureEtcd(plan, '/somewhere/etcd').includes('http://127.0.0.1:1'))
    const balancer = configureHaproxy(plan)
    assert.match(balancer, /bind 127\.0\.0\.1:3$/m)
    for (const each of nodes) {
      const server = `server ${each.name} 127.0.0.1:${each.postgresPort} check port ${each.restPort}`
      assert(balancer.includes(server))
    }
  })

  it('does not let a former leader take the lock back', () => {
    const versions = ['2.1.7', '3.0.2', '3.0.3', '3.1.0', '4.0.4']
    assert.deepEqual(versions.map(chooseEtcdApi), ['etcd', 'etcd', 'etcd3', 'etcd3', 'etcd3'])
  })
})
