import type { Route } from './list-routes.ts'

export type Kind = 'valid' | 'nearly valid' | 'hostile'

export interface HostileRequest {
  route: Route
  kind: Kind
  method: string
  target: string
  headers: [string, string][]
  body: Buffer | undefined
  /** Method and path are those of the route, so the contract of the route applies. */
  isAimed: boolean
  /** Names a user of another client app, so it must not succeed. */
  isForeign?: boolean
}
