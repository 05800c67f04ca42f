/** The addresses of endpoints in the API reference, which names them by tag, method and path. */
import { buildOpenApi } from '@coffer/contract/openapi'

export interface DocumentedEndpoint {
  method: string
  path: string
  summary: string
  description: string
  address: string
}

interface Operation {
  tags?: string[]
  summary?: string
  description?: string
}

/** The admin area and /account are not in the reference: only their own pages call them. */
export function listDocumentedEndpoints(): DocumentedEndpoint[] {
  const paths = buildOpenApi().paths as Record<string, Record<string, Operation>>
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, { tags = [], summary = '', description = '' }]) => {
      const method = name.toUpperCase()
      const tag = (tags[0] ?? '').toLowerCase().replaceAll(' ', '-')
      const address = `/docs/api/#tag/${tag}/${method}${path}`
      return { method, path, summary, description, address }
    }),
  )
}
