/** `npm run demo`: checks Node, builds quietly, then starts the demo. JavaScript, so that an old Node can read it. */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const HELP = `Usage: npm run demo -- [options]

Starts a temporary PostgreSQL (or uses DATABASE_URL), a card processor without money, the service, an inbox and a shop.

Options:
  --env FILE          write the credentials of a client app for your own app to FILE
  --port PORT         of the service (default: 8080, or the variable PORT)
  --shop-port PORT    of the example shop (default: 3000)
  --app-port PORT     of your own app, whose origin is registered (default: 4000)
  --mail-port PORT    of the inbox (default: 8025)
  --help              show this text
`

const options = Object.fromEntries(
  ['env', 'port', 'shop-port', 'app-port', 'mail-port'].map((name) => [name, { type: 'string' }]),
)

function fail(text) {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

function readHelp() {
  try {
    return parseArgs({ options: { ...options, help: { type: 'boolean' } } }).values.help
  } catch (error) {
    return fail(`${error.message}\n\n${HELP}`)
  }
}

if (readHelp()) {
  process.stdout.write(HELP)
  process.exit(0)
}
if (Number.parseInt(process.versions.node, 10) < 24) {
  fail(`The demo needs Node 24 or newer, and this is Node ${process.versions.node}.`)
}
process.stdout.write('Building the pages. This takes about 20 seconds.\n')
const build = spawnSync('npm', ['run', 'build'], { encoding: 'utf8' })
if (build.status !== 0) fail(`${build.stdout}${build.stderr}\nThe build failed.`)
await import('./demo.ts')
