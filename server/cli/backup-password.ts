import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Every user of the machine can see the arguments of a program, so the password is passed in a file. */
export async function withoutPassword(databaseUrl: string, work: (url: string) => Promise<void>) {
  const url = new URL(databaseUrl)
  const password = decodeURIComponent(url.password)
  if (password === '') return work(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'coffer-backup-'))
  try {
    const file = join(folder, 'password')
    await writeFile(file, `*:*:*:*:${password.replaceAll(/[\\:]/g, '\\$&')}\n`, { mode: 0o600 })
    url.password = ''
    url.searchParams.set('passfile', file)
    await work(url.href)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
