/** All routes of the service: the endpoints of the contract, and the others. */
import { ACCOUNT_ENDPOINTS } from '@coffer/contract/account-api'
import { ADMIN_SIGN_IN_ENDPOINTS, ADMIN_ENDPOINTS } from '@coffer/contract/admin/endpoints'
import { CLIENT_SECRET_ENDPOINTS } from '@coffer/contract/client-secret-api'
import type { Endpoint } from '@coffer/contract/endpoint'
import { SERVER_ENDPOINTS } from '@coffer/contract/server-api'
import { WIDGET_ENDPOINTS, WIDGET_PAGE_ENDPOINTS } from '@coffer/contract/widget-api'
import { WIDGET_CARD_ENDPOINTS } from '@coffer/contract/widget-cards-api'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** How a caller authenticates: client credentials, a session, not yet, a cookie, a signature, or not at all. */
export type AuthKind = 'server' | 'session' | 'page' | 'person' | 'admin' | 'webhook' | 'open'

export interface Route {
  /** The endpoint's name in the contract, or the path. */
  name: string
  method: 'GET' | 'POST'
  path: string
  auth: AuthKind
  endpoint: Endpoint | undefined
}

const AUTH_KINDS: Record<string, AuthKind> = {
  createSession: 'server',
  readWidgetWallet: 'session',
  createIntent: 'session',
  confirmTopup: 'session',
  signUpAtAccount: 'page',
  verifySignUp: 'page',
  logInToAccount: 'page',
  forgotAccountPassword: 'page',
  resetAccountPassword: 'page',
  undoEmailChange: 'page',
  secureAccount: 'page',
  beginAccountPasskeyLogIn: 'page',
  logInToAccountByPasskey: 'page',
}

const GROUPS: [AuthKind, Record<string, Endpoint>][] = [
  ['server', SERVER_ENDPOINTS],
  ['session', WIDGET_ENDPOINTS],
  ['page', WIDGET_PAGE_ENDPOINTS],
  ['session', WIDGET_CARD_ENDPOINTS],
  ['person', ACCOUNT_ENDPOINTS],
  ['page', CLIENT_SECRET_ENDPOINTS],
  ['page', ADMIN_SIGN_IN_ENDPOINTS],
  ['admin', ADMIN_ENDPOINTS],
]

export function listEndpoints(): Route[] {
  return GROUPS.flatMap(([auth, endpoints]) =>
    Object.entries(endpoints)
      .filter(([, value]) => isEndpoint(value))
      .map(([name, endpoint]) => {
        const { method, path } = endpoint
        return { name, method, path, auth: AUTH_KINDS[name] ?? auth, endpoint }
      }),
  )
}

/** The modules of the contract export more than endpoints. */
function isEndpoint(value: Partial<Endpoint>): boolean {
  return typeof value === 'object' && value.path !== undefined && value.input !== undefined
}

export const WEBHOOK: Route = {
  name: 'webhook',
  method: 'POST',
  path: '/api/processor/webhook',
  auth: 'webhook',
  endpoint: undefined,
}

/** Pages, documents, assets, and routes for machines. */
export function listOpenRoutes(): Route[] {
  const built = (folder: string, pattern: string) =>
    globSync(pattern, { cwd: fileURLToPath(new URL(`../../${folder}`, import.meta.url)) })
  const assets = built('web/dist/assets', '*.{js,css}').map((file) => `/assets/${file}`)
  const documents = built('site/dist', '**/*.*').map((file) => `/docs/${addressOf(file)}`)
  const widget = ['/widget/wallet', '/widget/topup']
  const pages = [...widget, '/account', '/account/topup', '/admin', '/admin/people']
  const others = ['/livez', '/readyz', '/metrics', '/docs', '/docs/openapi.json', '/llms.txt']
  return [...pages, ...pages, ...others, ...documents, ...assets].map((path) => ({
    name: path.replace(/^\/(assets|docs)\/.*/, '/$1/*'),
    method: 'GET',
    path,
    auth: 'open',
    endpoint: undefined,
  }))
}

function addressOf(file: string): string {
  return file === 'index.html' ? '' : file.replace(/\.html$/, '')
}
