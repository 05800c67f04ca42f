/** Passphrases never come from arguments, which every user of the machine can see, nor from the environment. */
import { readFileSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { checkNewPassword } from '../identity/check-new-password.ts'
import { ServiceError } from '../service-error.ts'

/** Whoever has the copy can guess without a limit. */
const LENGTH_MIN = 16

/** From a file, or from the terminal. */
export async function readPassphrase(file: string | undefined): Promise<string> {
  const passphrase = file === undefined ? await ask('Passphrase: ') : readFile(file)
  if (passphrase === '') throw new Error('The passphrase is empty.')
  return passphrase
}

/** Refuses a weak passphrase. On a terminal, it is typed twice. */
export async function readNewPassphrase(file: string | undefined): Promise<string> {
  const passphrase = await readPassphrase(file)
  try {
    checkNewPassword(passphrase, '', LENGTH_MIN)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new Error(
      `The passphrase is too easy to guess: it needs ${LENGTH_MIN} characters, and must not be a common password. Make one with: openssl rand -base64 24`,
      { cause: error },
    )
  }
  if (file === undefined && (await ask('Passphrase again: ')) !== passphrase) {
    throw new Error('The two passphrases differ. Nothing was written; run the command again.')
  }
  return passphrase
}

function readFile(file: string): string {
  if ((statSync(file).mode & 0o044) !== 0) {
    throw new Error(`Other users can read the passphrase in ${file}. Run: chmod 600 ${file}`)
  }
  return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
}

/** The terminal does not show what is typed. */
async function ask(question: string): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new Error('There is no terminal to ask for the passphrase. Use --passphrase-file <file>.')
  }
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  process.stderr.write(question)
  const answer = await new Promise<string | undefined>((resolve) => {
    terminal.once('line', resolve)
    terminal.once('close', () => resolve(undefined))
  })
  terminal.close()
  process.stderr.write('\n')
  if (answer === undefined) throw new Error('No passphrase was entered.')
  return answer
}
