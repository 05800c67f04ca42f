/** The old version and the new version, each in its own folder. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkOutCommit, copyCheckout, linkPages, ROOT } from '../../scripts/copy-checkout.ts'
import { EXPAND } from './expand.ts'

export interface Checkouts {
  old: string
  new: string
  /** The folder that the processes run: first the old version. */
  link: string
  /** undefined: the git history is missing, so the old version is this one with today's schema. */
  oldCommit: string | undefined
  /** Names of the migrations that the new version adds, in order; they are not in its folder yet. */
  migrations: string[]
}

const MIGRATIONS = 'server/database/migrations'
const CREATE_ACCOUNTS = 'faults/setup/create-accounts.ts'

export function makeCheckouts(folder: string, wanted: string | undefined): Checkouts {
  const checkouts = {
    old: join(folder, 'old'),
    new: join(folder, 'new'),
    link: join(folder, 'run'),
  }
  const oldCommit = wanted ?? findOldCommit()
  copyCheckout(checkouts.new)
  if (oldCommit === undefined) copyCheckout(checkouts.old)
  else checkOut(oldCommit, checkouts.old)
  for (const checkout of [checkouts.old, checkouts.new]) linkPages(checkout)
  for (const [name, text] of Object.entries(EXPAND)) {
    writeFileSync(join(checkouts.new, MIGRATIONS, name), text)
  }
  const known = new Set(listMigrations(checkouts.old))
  const migrations = listMigrations(checkouts.new).filter((name) => !known.has(name))
  mkdirSync(join(checkouts.new, 'held-back'))
  for (const name of migrations) {
    cpSync(join(checkouts.new, MIGRATIONS, name), join(checkouts.new, 'held-back', name))
    rmSync(join(checkouts.new, MIGRATIONS, name))
  }
  symlinkSync(checkouts.old, checkouts.link)
  return { ...checkouts, oldCommit, migrations }
}

/** The next `coffer migrate` of the new version finds it. */
export function addMigration(checkouts: Checkouts, name: string) {
  cpSync(join(checkouts.new, 'held-back', name), join(checkouts.new, MIGRATIONS, name))
}

/** Processes that start from now on run the new version; running processes do not change. */
export function switchToNew(checkouts: Checkouts) {
  rmSync(checkouts.link)
  symlinkSync(checkouts.new, checkouts.link)
}

function listMigrations(root: string): string[] {
  return readdirSync(join(root, MIGRATIONS)).toSorted()
}

/**
 * The newest commit with fewer migrations than this checkout, but not before the initial schema was complete. A shallow
 * clone may not have it.
 */
function findOldCommit(): string | undefined {
  try {
    const ofHead = git('ls-tree', '--name-only', 'HEAD', `${MIGRATIONS}/`).split('\n')
    if (ofHead.length < listMigrations(ROOT).length) return git('rev-parse', 'HEAD')
    const initial = git('log', '-1', '--format=%H', '--', `${MIGRATIONS}/000[1-6]-*.sql`)
    const later = ['-1', '--diff-filter=A', '--format=%H', `${initial}..HEAD`, '--', MIGRATIONS]
    const last = git('log', ...later)
    return last === '' ? initial : git('rev-parse', '--verify', '--quiet', `${last}^`)
  } catch {
    return undefined
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim()
}

function checkOut(commit: string, folder: string) {
  mkdirSync(folder)
  checkOutCommit(commit, folder)
  // The old code creates the accounts of the audit; today's file says how many and which.
  mkdirSync(join(folder, dirname(CREATE_ACCOUNTS)), { recursive: true })
  cpSync(join(ROOT, CREATE_ACCOUNTS), join(folder, CREATE_ACCOUNTS))
}
