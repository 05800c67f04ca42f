/** The operator who is logged in. Actions that the role does not allow are hidden; the server checks them too. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Me, Role } from './calls.ts'

export const ROLE_NAMES = { owner: 'Owner', operator: 'Operator', viewer: 'Viewer' }

export const ROLES: readonly Role[] = ['owner', 'operator', 'viewer']

export const OperatorContext = createContext<Me>({
  email: '',
  name: '',
  role: 'viewer',
  hasInitialPassword: false,
  hasPasskey: false,
})

export function useMay(least: Role): boolean {
  const { role } = useContext(OperatorContext)
  return ROLES.indexOf(role) <= ROLES.indexOf(least)
}
