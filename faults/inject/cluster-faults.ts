/** Faults of a cluster with standbys. Each lasts from its start until all nodes are running again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from '../clients/dice.ts'
import { move } from '../clients/call-service.ts'
import type { Setup } from '../setup/prepare-setup.ts'
import type { Cluster } from '../setup/start-cluster.ts'
import { muteFor, type Inject } from './ledger-faults.ts'

/** Within this time callers must get the response that nothing can be written now. */
const REFUSED_WITHIN_MS = 8_000

export const CLUSTER_FAULTS: Record<string, Inject> = {
  'planned switchover': onCluster((cluster) => cluster.switchOver()),
  'primary killed, and its Patroni': onCluster(async (cluster, _stage, dice) => {
    const primary = await cluster.leader()
    primary.signal('node', 'SIGKILL')
    await cluster.hasNewLeader(primary)
    await sleep(dice.between(0, 3_000))
    primary.start()
  }),
  'primary killed, its Patroni runs on': onCluster(async (cluster) => {
    const primary = await cluster.leader()
    primary.signal('postgres', 'SIGKILL')
    await cluster.hasNewLeader(primary)
  }),
  "primary's node lost for a while": onCluster(async (cluster, _stage, dice) => {
    const primary = await cluster.leader()
    await whileStopped(primary, ['node'], async () => {
      await cluster.hasNewLeader(primary)
      await sleep(dice.between(0, 3_000))
    })
  }),
  'Patroni of the primary stopped': onCluster(async (cluster) => {
    const primary = await cluster.leader()
    await whileStopped(primary, ['patroni'], () => cluster.hasNewLeader(primary))
  }),
  'Patroni of the primary killed': onCluster(async (cluster) => {
    const primary = await cluster.leader()
    primary.signal('patroni', 'SIGKILL')
    await cluster.hasNewLeader(primary)
    primary.start()
  }),
  'primary cut off together with the services': onCluster(cutOff),
  'connections muted for a minute': muteFor(60_000),
  'primary frozen for 30 s': onCluster(async (cluster) => {
    const primary = await cluster.leader()
    await whileStopped(primary, ['postgres'], () => sleep(30_000))
  }),
  'synchronous standby killed': onCluster(async (cluster, _stage, dice) => {
    const standby = await cluster.syncStandby()
    standby.signal('node', 'SIGKILL')
    await sleep(dice.between(4_000, 7_000))
    standby.start()
  }),
  'both standbys killed': onCluster(loseStandbys),
}

function onCluster(inject: (cluster: Cluster, setup: Setup, dice: Dice) => Promise<void>): Inject {
  return (setup, dice) => {
    if (setup.cluster === undefined) throw new Error('there is no cluster')
    return inject(setup.cluster, setup, dice)
  }
}

type Node = Cluster['nodes'][number]

async function whileStopped(
  node: Node,
  parts: Parameters<Node['signal']>[0][],
  work: () => Promise<void>,
) {
  for (const part of parts) node.signal(part, 'SIGSTOP')
  try {
    await work()
  } finally {
    for (const part of parts) node.signal(part, 'SIGCONT')
  }
}

/** The services stay connected to the old primary, which its standbys and Patroni can no longer reach. */
async function cutOff(cluster: Cluster, { proxy }: Setup) {
  const primary = await cluster.leader()
  proxy.aim(primary.url)
  proxy.cutAll()
  try {
    // Time for the services to reconnect to it, bypassing HAProxy.
    await sleep(1_000)
    await whileStopped(primary, ['patroni', 'walsenders'], async () => {
      await cluster.hasNewLeader(primary)
      proxy.aim(cluster.url)
      proxy.cutAll()
    })
  } finally {
    proxy.aim(cluster.url)
  }
}

/** Nothing can be acknowledged, and every caller must be refused in time. */
async function loseStandbys(cluster: Cluster, setup: Setup, dice: Dice) {
  const primary = await cluster.leader()
  const standbys = cluster.nodes.filter((node) => node !== primary)
  for (const standby of standbys) standby.signal('node', 'SIGKILL')
  try {
    await Promise.all(Array.from({ length: 20 }, () => expectRefusal(setup, dice)))
  } finally {
    for (const standby of dice.shuffle(standbys)) {
      standby.start()
      await cluster.syncStandby()
    }
  }
}

async function expectRefusal(setup: Setup, dice: Dice) {
  const { journal, wallets, topups } = setup
  await sleep(dice.between(0, 3_000))
  const pair = journal.openPair(0)
  const wallet = dice.between(0, wallets.length - 1)
  const sentMs = performance.now()
  await move(setup, { app: 0, verb: 'credit', wallet, amountMinor: 1, pair })
  const tookMs = performance.now() - sentMs
  const status = journal.requestsOf(pair).next().value?.shape.status
  // 0: the connection broke, which can happen after the previous fault.
  const isTold = status === 503 || status === 0
  if (isTold && tookMs <= REFUSED_WITHIN_MS) return
  topups.unexpected.push(`without a standby: ${status} after ${(tookMs / 1000).toFixed(1)} s`)
}
