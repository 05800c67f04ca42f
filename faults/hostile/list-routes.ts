/** All routes of the service: the endpoints of the contract, and the others. */
import type { Endpoint } from '@coffer/contract/endpoint'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { callerOf, ENDPOINTS, type Caller } from '../../server/test/contract-endpoints.ts'

export interface Route {
  /** The endpoint's name in the contract, or the path. */
  name: string
  method: 'GET' | 'POST'
  path: string
  caller: Caller | 'webhook' | 'open'
  endpoint: Endpoint | undefined
}

export interface CallRoute extends Route {
  caller: Caller
  endpoint: Endpoint
}

export function listEndpoints(): CallRoute[] {
  return Object.entries(ENDPOINTS).map(([name, endpoint]) => {
    const { method, path } = endpoint
    return { name, method, path, caller: callerOf(endpoint), endpoint }
  })
}

export const WEBHOOK: Route = {
  name: 'webhook',
  method: 'POST',
  path: '/api/processor/webhook',
  caller: 'webhook',
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
    caller: 'open',
    endpoint: undefined,
  }))
}

function addressOf(file: string): string {
  return file === 'index.html' ? '' : file.replace(/\.html$/, '')
}
