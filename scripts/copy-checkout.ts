/** Copies the checkout to the state right after cloning and installing: nothing built, no leftover files. */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT: string = fileURLToPath(new URL('../', import.meta.url))

const MADE = ['node_modules', 'dist', '.git', 'screenshots', 'test-results', 'playwright-report']

export function copyCheckout(folder: string) {
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !MADE.includes(basename(path)) })
  linkModules(folder)
}

/** The files of a commit, in an empty folder, with today's packages. */
export function checkOutCommit(commit: string, folder: string) {
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['x'], { cwd: folder, input: archive })
  linkModules(folder)
}

/** For copies whose pages are not used: a process does not start without them. */
export function linkPages(folder: string) {
  for (const pages of ['web/dist', 'site/dist']) {
    const hasRoom = existsSync(join(folder, dirname(pages)))
    if (hasRoom && existsSync(join(ROOT, pages)))
      symlinkSync(join(ROOT, pages), join(folder, pages))
  }
}

/** Links the installed packages; links to our own packages lead into the copy. */
export function linkModules(folder: string) {
  for (const workspace of ['', ...globSync('*/node_modules', { cwd: ROOT }).map(dirname)]) {
    for (const name of listPackages(join(ROOT, workspace, 'node_modules'))) {
      const path = join(workspace, 'node_modules', name)
      const isOurs = name.startsWith('@coffer/')
      const target = isOurs ? readlinkSync(join(ROOT, path)) : join(ROOT, path)
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      symlinkSync(target, join(folder, path))
    }
  }
}

function listPackages(modules: string): string[] {
  return readdirSync(modules).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : [name],
  )
}
