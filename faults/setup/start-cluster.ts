/** Three PostgreSQL servers under Patroni with one etcd, behind HAProxy, which leads to the leader. All on this machine. */
import { spawn } from 'node:child_process'
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinFolder, postgresOwner } from '../../scripts/temporary-postgres.ts'
import { GERMAN, makeGermanLocale, whyNoGermanPostgres } from '../../server/test/german-postgres.ts'
import {
  chooseEtcdApi,
  configureEtcd,
  configureHaproxy,
  configurePatroni,
  type ClusterPlan,
} from './configure-cluster.ts'
import { findFreePorts } from '../../scripts/find-free-ports.ts'
import { guardFolder } from './guard-folder.ts'
import { ClusterNode, type Member } from './cluster-node.ts'
import { readVersion } from './read-version.ts'
import type { Database } from './start-database.ts'
import { withAdmin } from './with-admin.ts'

export interface Cluster extends Database {
  readonly nodes: readonly ClusterNode[]
  leader(): Promise<ClusterNode>
  /** The standby that may be promoted. */
  syncStandby(): Promise<ClusterNode>
  /** Increases by one with each promotion. */
  timeline(): Promise<number>
  /** A planned switchover to the synchronous standby, as an operator does it. */
  switchOver(): Promise<void>
  /** Waits until another node is the leader. */
  hasNewLeader(former: ClusterNode): Promise<void>
  /** Waits until the leader accepts writes through HAProxy and both standbys stream, one of them synchronously. */
  isHealthy(): Promise<void>
}

const NAMES = ['pg1', 'pg2', 'pg3']
const TIMEOUT_MS = 120_000
const ASK_AGAIN_MS = 200

/** The Debian packages that are not installed. */
export function findMissingPackages(): string[] {
  const packages = { patroni: 'patroni', etcd: 'etcd-server', haproxy: 'haproxy' }
  const versions = readVersions()
  return Object.entries(packages).flatMap(([program, name]) =>
    versions[program as keyof typeof versions] === undefined ? [name] : [],
  )
}

function readVersions() {
  return {
    patroni: readVersion('patroni'),
    etcd: readVersion('etcd'),
    haproxy: readVersion('haproxy', '-v'),
  }
}

export async function startCluster(): Promise<Cluster> {
  const owner = postgresOwner()
  const binFolder = findBinFolder()
  const folder = mkdtempSync(join(tmpdir(), 'coffer-cluster-'))
  const guard = guardFolder(folder)
  const isGerman = whyNoGermanPostgres() === false
  const plan = await makePlan(folder, binFolder, isGerman ? GERMAN : 'C')
  const own = (path: string) => owner && chownSync(path, owner.uid, owner.gid)
  own(folder)
  for (const node of plan.nodes) {
    mkdirSync(node.folder)
    writeFileSync(join(node.folder, 'patroni.yml'), configurePatroni(plan, node))
    own(node.folder)
  }
  const run = (program: string, args: string[]) => {
    const log = openSync(join(folder, `${program}.log`), 'a')
    const stdio = ['ignore', log, log] as const
    spawn(program, args, { ...owner, cwd: folder, stdio: [...stdio], detached: true })
    closeSync(log)
  }
  writeFileSync(join(folder, 'haproxy.cfg'), configureHaproxy(plan))
  run('etcd', configureEtcd(plan, join(folder, 'etcd')))
  run('haproxy', ['-db', '-q', '-f', join(folder, 'haproxy.cfg')])
  const env = isGerman ? makeLocale(join(folder, 'locales')) : {}
  const nodes = plan.nodes.map((address) => new ClusterNode(address, owner, env))
  const cluster = direct(nodes, plan, () => guard.clear())
  try {
    for (const node of nodes) node.start()
    await cluster.isHealthy()
  } catch (error) {
    await guard.clear()
    throw error
  }
  return cluster
}

/** Code that reads the words of a message instead of its SQLSTATE fails here. */
function makeLocale(folder: string) {
  mkdirSync(folder)
  return makeGermanLocale(folder)
}

async function makePlan(folder: string, binFolder: string, messages: string): Promise<ClusterPlan> {
  const ports = await findFreePorts(3 + 2 * NAMES.length)
  const take = () => ports.pop() ?? 0
  const nodes = NAMES.map((name) => ({
    name,
    folder: join(folder, name),
    restPort: take(),
    postgresPort: take(),
  }))
  const etcdApi = chooseEtcdApi(readVersions().patroni ?? '')
  const [etcdPort, etcdPeerPort, balancerPort] = [take(), take(), take()]
  return { binFolder, etcdApi, etcdPort, etcdPeerPort, balancerPort, messages, nodes }
}

function direct(
  nodes: readonly ClusterNode[],
  { binFolder, balancerPort, messages }: ClusterPlan,
  stop: () => Promise<void>,
): Cluster {
  const url = `postgres://postgres@127.0.0.1:${balancerPort}/postgres`
  const { patroni, etcd, haproxy } = readVersions()
  const postgres = readVersion(join(binFolder, 'postgres'))
  const named = (name: string | undefined) => nodes.find((node) => node.name === name)
  async function findLeader(): Promise<ClusterNode | undefined> {
    const responses = await Promise.all(nodes.map((node) => node.isLeader()))
    return nodes.find((_, index) => responses[index])
  }
  async function findMembers(): Promise<Member[]> {
    const leader = await findLeader()
    return (await leader?.members()) ?? []
  }
  const cluster: Cluster = {
    name: `three PostgreSQL ${postgres} under Patroni ${patroni} with etcd ${etcd}, behind HAProxy ${haproxy}, with messages in ${messages}`,
    url,
    binFolder,
    nodes,
    stop,
    leader: () => waitFor('a leader', findLeader),
    syncStandby: () =>
      waitFor('a synchronous standby', async () => {
        const members = await findMembers()
        return named(members.find(({ role }) => role === 'sync_standby')?.name)
      }),
    timeline: () =>
      waitFor('a timeline', async () => {
        const members = await findMembers()
        return members.find(({ role }) => role === 'leader')?.timeline
      }),
    async switchOver() {
      const [leader, candidate] = [await cluster.leader(), await cluster.syncStandby()]
      await leader.command('switchover', { leader: leader.name, candidate: candidate.name })
    },
    async hasNewLeader(former) {
      await waitFor('another leader', async () => {
        const leader = await findLeader()
        return leader !== former && leader
      })
    },
    async isHealthy() {
      await waitFor('two standbys, one of them synchronous', async () => {
        const members = await findMembers()
        return members.length === nodes.length && isComplete(members) && isReplicating(url)
      }).catch((error: unknown) => {
        const logs = nodes.map((node) => `${node.name}:\n${node.readLog()}`)
        throw new Error(`The cluster did not recover:\n${logs.join('\n')}`, { cause: error })
      })
    },
    async restart(how) {
      const leader = await cluster.leader()
      if (how === 'crash') leader.signal('postmaster', 'SIGQUIT')
      else await leader.command('restart', {})
      await cluster.isHealthy()
    },
  }
  return cluster
}

/** Patroni's view: a failover is possible now. */
function isComplete(members: readonly Member[]): boolean {
  const timelines = new Set(members.map(({ timeline }) => timeline))
  const roles = members.map(({ role }) => role).toSorted()
  const isUp = members.every(({ state }) => state === 'running' || state === 'streaming')
  return isUp && timelines.size === 1 && roles.join() === 'leader,replica,sync_standby'
}

/** PostgreSQL's view, through HAProxy: a named standby receives everything that is acknowledged. */
async function isReplicating(url: string): Promise<boolean> {
  try {
    return await withAdmin(url, async (admin) => {
      const { rows } = await admin.query<{ is_sync: boolean }>(
        `select sync_state = 'sync' as is_sync from pg_stat_replication
         where state = 'streaming' and current_setting('synchronous_standby_names') not in ('', '*')`,
      )
      return rows.length === NAMES.length - 1 && rows.some((row) => row.is_sync)
    })
  } catch {
    return false
  }
}

async function waitFor<Thing>(
  what: string,
  find: () => Promise<Thing | false | undefined>,
): Promise<Thing> {
  const untilMs = performance.now() + TIMEOUT_MS
  while (performance.now() < untilMs) {
    const found = await find()
    if (found !== undefined && found !== false) return found
    await sleep(ASK_AGAIN_MS)
  }
  throw new Error(`the cluster did not reach ${what} within ${TIMEOUT_MS / 1000} s`)
}
