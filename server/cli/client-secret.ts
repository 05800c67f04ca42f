import { SECRET_SCOPES, type SecretScope } from '@coffer/contract/endpoint'
import { restriction as restrictionShape } from '@coffer/contract/restriction'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { describeRestriction, normalize, type Restriction } from '../client-app/restriction.ts'
import {
  findLiveSecrets,
  OVERLAPS,
  revokeSecretNow,
  rotateSecret,
  type Overlap,
} from '../client-app/rotate-secret.ts'
import { record } from './record.ts'
import { print, withKeys, withService } from './with-service.ts'

export function addSecretCommands(command: Command) {
  command
    .command('rotate-secret <clientId>')
    .description('create a new secret; the old one stays valid for the overlap')
    .addOption(
      new Option('--overlap <time>', 'how long the old secret stays valid')
        .choices(Object.keys(OVERLAPS))
        .default('24h'),
    )
    .option('--name <name>', 'create a restricted secret, or replace the one with this name')
    .addOption(
      new Option('--scope <scope...>', 'what a restricted secret may do').choices(SECRET_SCOPES),
    )
    .option('--network <network...>', 'where it works from, such as 203.0.113.0/24')
    .action(rotate)

  command
    .command('revoke-secret <clientId> [secretId]')
    .description('revoke a secret now; without an id, list the valid ones')
    .action(revoke)
}

interface RotateOptions {
  overlap: Overlap
  name?: string
  scope?: SecretScope[]
  network?: string[]
}

function rotate(clientId: string, options: RotateOptions) {
  const { overlap } = options
  const restriction = readRestriction(options)
  return withKeys(async (tools) => {
    const secret = await rotateSecret(tools, clientId, { overlap, restriction }, (tx) =>
      record(tx, 'client_app.rotate', clientId, { overlap, restriction }),
    )
    print(`The new secret (shown only once):\n\n  ${secret}\n`)
    if (restriction) print(describeRestriction(restriction))
    const old = restriction ? 'An old secret with this name' : 'The old secret'
    print(overlap === 'none' ? `${old} is revoked.` : `${old} expires in ${overlap}.`)
  })
}

function readRestriction({ name, scope, network }: RotateOptions): Restriction | undefined {
  if (name === undefined) {
    if (!scope && !network) return undefined
    throw new InvalidArgumentError('A restricted secret needs a name: add --name.')
  }
  const wanted = { name, scopes: scope ?? [], networks: network ?? [] }
  const { data, error } = restrictionShape.safeParse(wanted)
  if (data) return normalize(data)
  const [{ path, message } = { path: [], message: '' }] = error.issues
  const option = { name: '--name', scopes: '--scope', networks: '--network' }[String(path[0])]
  throw new InvalidArgumentError(`${option} ${message}.`)
}

async function revoke(clientId: string, secretId: string | undefined) {
  await withService(async ({ db }) => {
    if (secretId !== undefined) {
      if (!/^\d+$/.test(secretId)) throw new InvalidArgumentError('The secret id must be a number.')
      await revokeSecretNow(db, clientId, BigInt(secretId), (tx) =>
        record(tx, 'client_app.revoke', clientId, { secretId }),
      )
      print(
        `Secret ${secretId} of ${clientId} is revoked. All processes refuse it within a second.`,
      )
      return
    }
    const secrets = await findLiveSecrets(db, clientId)
    if (secrets.length === 0) print(`${clientId} has no valid secret.`)
    for (const { id, createdAt, expiresAt, restriction } of secrets) {
      const end = expiresAt ? `expires ${expiresAt.toISOString()}` : 'does not expire'
      const limits = restriction ? `  ${describeRestriction(restriction)}` : ''
      print(`${id}  created ${createdAt.toISOString()}  ${end}${limits}`)
    }
  })
}
