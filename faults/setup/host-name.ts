/**
 * A host name whose address can change while processes run, as when a managed database fails over. The wrapper is a
 * Debian package that makes the resolver of the C library read another file than /etc/hosts.
 */
import { globSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const HOST_NAME = 'database.coffer.test'
/** Both belong to this machine. */
export const ADDRESSES = ['127.0.0.1', '127.0.0.2'] as const
export type Address = (typeof ADDRESSES)[number]

const [wrapper] = globSync('/usr/lib/*/libnss_wrapper.so')
export const canMoveHostNames = wrapper !== undefined

export interface HostName {
  /** For the processes that use the name. */
  env: Record<string, string>
  address: Address
  moveTo(address: Address): void
}

export function createHostName(folder: string): HostName {
  const file = join(folder, 'hosts')
  const name: HostName = {
    env: wrapper === undefined ? {} : { LD_PRELOAD: wrapper, NSS_WRAPPER_HOSTS: file },
    address: ADDRESSES[0],
    moveTo(address) {
      name.address = address
      // The resolver never sees half of a file.
      writeFileSync(`${file}.next`, `${address} ${HOST_NAME}\n127.0.0.1 localhost\n`)
      renameSync(`${file}.next`, file)
    },
  }
  name.moveTo(ADDRESSES[0])
  return name
}
