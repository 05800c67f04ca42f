/** Every route that the service registers, as Fastify reports it. Tests compare their tables with this list. */
import type { Endpoint } from '@coffer/contract/endpoint'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { startHarness, type Harness } from './harness.ts'

export interface RegisteredRoute {
  method: HTTPMethods
  url: string
  /** undefined: the route is not in the contract. */
  endpoint: Endpoint | undefined
}

/** Fastify has no list of its routes, but publishes each new server before the first route is added. */
const CHANNEL = 'fastify.initialization'

export async function startWithRoutes(
  env: Record<string, string> = {},
): Promise<{ harness: Harness; routes: RegisteredRoute[] }> {
  const routes: RegisteredRoute[] = []
  function listen(message: unknown) {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url, config }) => {
      for (const each of [method].flat()) {
        routes.push({ method: each, url, endpoint: config?.endpoint })
      }
    })
  }
  subscribe(CHANNEL, listen)
  try {
    return { harness: await startHarness(env), routes }
  } finally {
    unsubscribe(CHANNEL, listen)
  }
}
