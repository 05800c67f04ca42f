import { fastify } from 'fastify'
import { mountBrowser } from './browser/mount-browser.ts'
import type { Sandbox } from './context.ts'
import type { Settings } from './settings.ts'
import { createControls } from './control/create-controls.ts'
import { mountControl } from './control/mount-control.ts'
import { createFaults } from './faults.ts'
import { mountApi } from './http/mount-api.ts'
import { OPERATIONS } from './operations.ts'
import { createState } from './state.ts'
import { createWebhookSender } from './webhooks/deliver-webhooks.ts'

export type SandboxOptions = Partial<Settings> & {
  /** 0, the default, means any free port. */
  port?: number
  host?: string
  webhookUrl?: string
}

export type RunningSandbox = Awaited<ReturnType<typeof startSandbox>>

export async function startSandbox(options: SandboxOptions = {}) {
  const { port = 0, host = '127.0.0.1', webhookUrl, ...given } = options
  const settings: Settings = {
    publicUrl: '',
    secretKey: 'sk_test_sandbox',
    publishableKey: 'pk_test_sandbox',
    webhookSecret: 'whsec_sandbox',
    webhookRetryDelaysMs: [1_000, 5_000, 30_000, 120_000, 600_000],
    webhookTimeoutMs: 10_000,
    ...given,
  }
  const [state, faults] = [createState(), createFaults()]
  const webhookSender = createWebhookSender(settings, state, faults)
  const sandbox: Sandbox = { settings, state, faults, webhookSender }
  const controls = createControls(sandbox)
  const app = fastify({ forceCloseConnections: true, bodyLimit: 262_144 })
  await app.register(async (scope) => mountApi(scope, sandbox, OPERATIONS))
  await app.register(async (scope) => mountControl(scope, sandbox, controls))
  await app.register(async (scope) => mountBrowser(scope, sandbox))
  const address = await app.listen({ port, host })
  settings.publicUrl = new URL(settings.publicUrl || address).origin
  if (webhookUrl !== undefined) controls.addWebhookEndpoint(webhookUrl)
  const { hostname, port: takenPort, protocol } = new URL(address)
  return {
    /** The API's address. Browsers use `publicUrl`. */
    url: address,
    publicUrl: settings.publicUrl,
    /** Options for the SDK: `new Stripe(secretKey, sandbox.sdkOptions)`. */
    sdkOptions: {
      host: hostname,
      port: takenPort,
      protocol: protocol === 'https:' ? 'https' : 'http',
    } as const,
    secretKey: settings.secretKey,
    publishableKey: settings.publishableKey,
    webhookSecret: settings.webhookSecret,
    state,
    faults,
    ...controls,
    async close() {
      webhookSender.cancel()
      await app.close()
    },
  }
}
