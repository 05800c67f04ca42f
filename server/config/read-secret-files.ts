/** Secrets in files, as systemd, Docker and Kubernetes provide them: NAME_FILE is the path of the value of NAME. */
import { readFileSync } from 'node:fs'

type Environment = Record<string, string | undefined>

/** The variables that hold a secret. */
export const SECRETS = [
  'DATABASE_URL',
  'SECRET_PEPPERS',
  'ADMIN_KEYS',
  'SMTP_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
]

/**
 * The environment with the contents of the files, and what is wrong with the files, by variable. Reads only the files of
 * these variables: a command that needs one secret works for a user who cannot read the others.
 */
export function readSecretFiles(env: Environment, names: readonly string[]) {
  const values = { ...env }
  const faults = new Map<string, string>()
  for (const name of SECRETS.filter((each) => names.includes(each))) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    try {
      if (env[name]) throw new Error(`and ${name} are both set. Remove one of them.`)
      values[name] = readSecret(file)
    } catch (error) {
      faults.set(name, `${name}_FILE=${file} ${(error as Error).message}`)
    }
  }
  return { values, faults }
}

function readSecret(file: string): string {
  const secret = readText(file).replace(/\r?\n$/, '')
  if (secret === '') throw new Error('is empty. Write the value into the file.')
  return secret
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const advice = 'Check the path, and that the user who runs the command may read the file.'
    throw new Error(`cannot be read (${code}). ${advice}`, { cause: error })
  }
}
