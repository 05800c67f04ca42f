import { ROLES, type Role } from '@coffer/contract/admin/endpoint'
import { email as emailShape, personName } from '@coffer/contract/shapes'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { createPasswords } from '../identity/hash-password.ts'
import { createOperator } from '../admin/operators/create-operator.ts'
import { listOperators } from '../admin/operators/list-operators.ts'
import { ConfigError } from '../config.ts'
import { ServiceError } from '../service-error.ts'
import { print, withService, type Tools } from './with-service.ts'

export const COMMAND_LINE = { actor: 'command line', actorId: null, address: null }

export function addOperatorCommands(program: Command) {
  const command = program.command('operator').description('manage the operators of /admin')

  command
    .command('create <email> <name>')
    .description('create an operator and show the initial password, once')
    .addOption(new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory())
    .action((email: string, name: string, { role }: { role: Role }) =>
      withService((tools) => create(tools, { email, name, role })),
    )

  command
    .command('list')
    .description('list all operators')
    .action(() => withService(async ({ db }) => list(await listOperators(db))))
}

async function create(
  { config, db }: Tools,
  operator: { email: string; name: string; role: Role },
) {
  if (config.adminKeys === undefined) {
    throw new ConfigError(
      'ADMIN_KEYS is missing. /admin requires one or more keys, newest first and separated by commas, each as id:base64 of 32 random bytes.',
    )
  }
  if (!emailShape.safeParse(operator.email).success) {
    throw new InvalidArgumentError('Invalid email address.')
  }
  if (!personName.safeParse(operator.name).success) {
    throw new InvalidArgumentError('The name is empty, too long or has control characters.')
  }
  try {
    const passwords = await createPasswords(1)
    const { password } = await createOperator({ db, passwords }, COMMAND_LINE, operator)
    const address = `${config.adminOrigin ?? ''}/admin`
    print(`${operator.email} can log in at ${address}. The initial password is shown only once:\n`)
    print(`  ${password}\n`)
    print('The operator sets up the authenticator at the first login.')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new InvalidArgumentError(`An operator with the email ${operator.email} already exists.`)
  }
}

function list(operators: Awaited<ReturnType<typeof listOperators>>) {
  if (operators.length === 0) print('No operators yet. Create one with: coffer operator create')
  for (const { email, name, role, isActive, hasAuthenticator } of operators) {
    const state = isActive ? 'active' : 'inactive'
    const factor = hasAuthenticator ? 'authenticator' : 'no authenticator yet'
    print(`${email}  ${role.padEnd(8)}  ${state.padEnd(8)}  ${factor}  ${name}`)
  }
}
