/** `npm run demo`: checks Node, builds quietly, then starts the demo. JavaScript, so that an old Node can read it. */
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { parseArgs } from 'node:util'

const HELP = `Usage: npm run demo -- [options]

Starts a temporary PostgreSQL (or uses DATABASE_URL), a simulated card processor, the service, an inbox and a shop.

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

function readOptions() {
  try {
    return parseArgs({ options: { ...options, help: { type: 'boolean' } } }).values
  } catch (error) {
    return fail(`${error.message}\n\n${HELP}`)
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(error.code !== 'EADDRINUSE'))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** The build takes a while, so the demo looks at its ports before it. */
async function checkPorts(given) {
  const ports = {
    port: given.port ?? process.env['PORT'] ?? '8080',
    'shop-port': given['shop-port'] ?? '3000',
    'mail-port': given['mail-port'] ?? '8025',
    'app-port': given['app-port'] ?? '4000',
  }
  for (const [name, port] of Object.entries(ports)) {
    const isPort = /^\d{1,5}$/.test(port) && Number(port) <= 65_535
    if (!isPort) fail(`--${name} needs a number from 0 to 65535, not ${port}.`)
    // The port of your own app may be in use already: by that app.
    if (name === 'app-port' || (await isFree(Number(port)))) continue
    fail(`Port ${port} is in use. Choose another one: npm run demo -- --${name} PORT`)
  }
}

const values = readOptions()
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
if (Number.parseInt(process.versions.node, 10) < 24) {
  fail(`The demo needs Node 24 or newer, and this is Node ${process.versions.node}.`)
}
await checkPorts(values)
process.stdout.write('Building the pages. This takes about 20 seconds.\n')
const build = spawnSync('npm', ['run', 'build'], { encoding: 'utf8' })
if (build.status !== 0) fail(`${build.stdout}${build.stderr}\nThe build failed.`)
await import('./demo.ts')
