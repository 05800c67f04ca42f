import { InvalidArgumentError } from 'commander'
import { execFileSync } from 'node:child_process'
import { open, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/** A folder that another user made: says so before anything is copied. */
export async function refuseUnreadable(folder: string): Promise<void> {
  const unreadable = await findUnreadable(folder)
  if (unreadable === undefined) return
  const owner = nameUser((await stat(unreadable)).uid)
  const { username } = userInfo()
  throw new InvalidArgumentError(
    `${unreadable} belongs to the user ${owner}, and ${username} may not read it. Nothing was copied.\n` +
      `Run the command as root, or give the files to ${username}: chown -R ${username} ${folder}`,
  )
}

/** Opens every file, because only that shows what the file system permits. */
async function findUnreadable(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).isDirectory()) {
      for (const name of await readdir(path)) {
        const unreadable = await findUnreadable(join(path, name))
        if (unreadable !== undefined) return unreadable
      }
    } else await (await open(path)).close()
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES') return path
    if (code === 'ENOENT') throw new InvalidArgumentError(`${path} does not exist.`)
    throw error
  }
}

function nameUser(uid: number): string {
  try {
    return execFileSync('id', ['-nu', String(uid)], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return String(uid)
  }
}
