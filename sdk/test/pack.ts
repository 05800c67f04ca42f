/** A separate app that has this package installed from its tarball and cannot reach other code of this repository. */
import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const sdk = fileURLToPath(new URL('..', import.meta.url))
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))

export interface InstalledApp {
  folder: string
  /** The folder of the package in node_modules. */
  installed: string
  write(name: string, text: string): string
  /** Runs one of its files and returns what it prints. */
  node(executable: string, file: string, env: Record<string, string>): Promise<string>
  /** The errors of the compiler for all of its files; empty if there are none. */
  compile(): Promise<string>
  remove(): void
}

/** Builds into a new folder, so that other users of dist are not disturbed and the build is never stale. */
export async function packIntoApp(): Promise<InstalledApp> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-sdk-'))
  const source = join(folder, 'package')
  mkdirSync(source)
  for (const name of ['package.json', 'README.md'])
    copyFileSync(join(sdk, name), join(source, name))
  const build = join(modules, 'tsdown/dist/run.mjs')
  await run(process.execPath, [build, '--out-dir', join(source, 'dist')], { cwd: sdk })
  const { stdout } = await run('npm', ['pack', '--idleTimeout'], { cwd: source })
  const installed = join(folder, 'node_modules/@coffer/sdk')
  mkdirSync(installed, { recursive: true })
  const tarball = join(source, stdout.trim())
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1'])
  rmSync(source, { recursive: true })
  return {
    folder,
    installed,
    write(name, text) {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    },
    async node(executable, file, env) {
      return (await run(executable, [file], { cwd: folder, env })).stdout
    },
    compile() {
      const tsc = join(modules, 'typescript/bin/tsc')
      return run(process.execPath, [tsc, '-p', folder], { cwd: folder }).then(
        () => '',
        (error: Error & { stdout: string }) => error.stdout || error.message,
      )
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** This Node, and every other supported version in PATH. */
export async function findNodes(): Promise<Map<string, string>> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const executables = folders.map((folder) => join(folder, 'node')).filter(existsSync)
  const nodes = new Map([[process.version, process.execPath]])
  for (const executable of executables) {
    const version = (await run(executable, ['--version'])).stdout.trim()
    if (Number(/^v(\d+)/.exec(version)?.[1]) >= 20) nodes.set(version, executable)
  }
  return nodes
}

export const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: 'es2022',
    lib: ['es2022'],
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(modules, '@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  },
  include: ['*.mts', '*.cts'],
})
