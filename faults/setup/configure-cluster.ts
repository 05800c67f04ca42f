/** Configuration of etcd, Patroni, PostgreSQL and HAProxy for a cluster on one machine. */

export interface NodeAddress {
  name: string
  folder: string
  restPort: number
  postgresPort: number
}

export interface ClusterPlan {
  binFolder: string
  etcdApi: EtcdApi
  etcdPort: number
  etcdPeerPort: number
  balancerPort: number
  /** The language of PostgreSQL's messages. */
  messages: string
  nodes: readonly NodeAddress[]
}

type EtcdApi = 'etcd' | 'etcd3'

/**
 * Before 3.0.3 a leader that was stopped for longer than its lease took the lock back from its successor through the
 * etcd v3 API, whoever held it by then, and what the successor had acknowledged was lost
 * (github.com/patroni/patroni/pull/2689). The v2 API compares before it writes.
 */
export function chooseEtcdApi(patroniVersion: string): EtcdApi {
  const [major = 0, minor = 0, patch = 0] = patroniVersion.split('.').map(Number)
  const isSafe = major > 3 || (major === 3 && (minor > 0 || patch >= 3))
  return isSafe ? 'etcd3' : 'etcd'
}

/** Patroni's minimum values: a leader that is gone for this long loses the lock. */
const TTL_SECONDS = 20
const LOOP_SECONDS = 1
const RETRY_SECONDS = 3

const PARAMETERS = {
  max_connections: 200,
  shared_buffers: '128MB',
  // Short, so that a killed node has little to recover before it can follow.
  checkpoint_timeout: '60s',
  max_wal_size: '2GB',
  // Enough for a node to rejoin whose replication slot was dropped meanwhile.
  wal_keep_size: '1GB',
  wal_log_hints: 'on',
  // Only processes are killed, not machines, so the operating system keeps all written data. Power failures are not tested.
  fsync: 'off',
  // A standby finds its new primary at once, not after five seconds.
  wal_retrieve_retry_interval: '200ms',
  wal_sender_timeout: '10s',
  wal_receiver_timeout: '10s',
  // Hot wallets cause many lock timeouts, which are normal.
  log_min_messages: 'log',
}

export function configureEtcd(plan: ClusterPlan, folder: string): string[] {
  const { etcdApi, etcdPort, etcdPeerPort } = plan
  const client = `http://127.0.0.1:${etcdPort}`
  const peer = `http://127.0.0.1:${etcdPeerPort}`
  return [
    ['--name', 'e0'],
    ['--data-dir', folder],
    ['--listen-client-urls', client],
    ['--advertise-client-urls', client],
    ['--listen-peer-urls', peer],
    ['--initial-advertise-peer-urls', peer],
    ['--initial-cluster', `e0=${peer}`],
    etcdApi === 'etcd' ? ['--enable-v2'] : [],
  ].flat()
}

/** JSON, which is YAML too. */
export function configurePatroni(plan: ClusterPlan, node: NodeAddress): string {
  const rest = `127.0.0.1:${node.restPort}`
  const postgres = `127.0.0.1:${node.postgresPort}`
  return JSON.stringify({
    scope: 'coffer',
    name: node.name,
    restapi: { listen: rest, connect_address: rest },
    [plan.etcdApi]: { host: `127.0.0.1:${plan.etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: LOOP_SECONDS,
        retry_timeout: RETRY_SECONDS,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        // A primary that ends is replaced at once; the cluster does not wait for it.
        primary_start_timeout: 0,
        postgresql: {
          use_pg_rewind: true,
          parameters: { ...PARAMETERS, lc_messages: plan.messages },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }],
      pg_hba: ['host replication all 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: postgres,
      connect_address: postgres,
      data_dir: `${node.folder}/data`,
      bin_dir: plan.binFolder,
      pgpass: `${node.folder}/pgpass`,
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
        rewind: { username: 'postgres' },
      },
      parameters: { unix_socket_directories: node.folder },
    },
  })
}

/** Connects to the node that reports that it is the leader; connections to a former leader are closed. */
export function configureHaproxy({ balancerPort, nodes }: ClusterPlan): string {
  const servers = nodes.map(
    ({ name, restPort, postgresPort }) =>
      `  server ${name} 127.0.0.1:${postgresPort} check port ${restPort}`,
  )
  return `global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen leader
  bind 127.0.0.1:${balancerPort}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}
