/** Text files whose last line is an Ed25519 signature over the SHA-256 of everything above it. */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { createInterface } from 'node:readline'

const SIGNATURE = 'signature '
const BUFFERED = 1 << 16
/** The file is synced in small steps, because one large write would delay the commits of debits. */
const SYNCED = 1 << 22

/** Writes and syncs the lines, and closes the file. Returns the hash that is signed. */
export async function writeSignedLines(
  file: FileHandle,
  privateKeyPem: string,
  lines: AsyncIterable<string>,
  beforeSigning: () => Promise<unknown>,
): Promise<Buffer> {
  const key = createPrivateKey(privateKeyPem)
  const digest = createHash('sha256')
  try {
    let text = ''
    let unsynced = 0
    const flush = async () => {
      digest.update(text)
      await file.writeFile(text)
      unsynced += text.length
      text = ''
      if (unsynced < SYNCED) return
      await file.datasync()
      unsynced = 0
    }
    for await (const line of lines) {
      text += `${line}\n`
      if (text.length > BUFFERED) await flush()
    }
    await flush()
    await beforeSigning()
    const hash = digest.digest()
    await file.writeFile(`${SIGNATURE}${sign(null, hash, key).toString('base64')}\n`)
    await file.sync()
    return hash
  } finally {
    await file.close()
  }
}

/** Returns the hash that is signed. Throws if the signature is invalid. */
export async function checkSignature(file: string, keyPem: string): Promise<Buffer> {
  const digest = createHash('sha256')
  let signature: string | undefined
  for await (const line of readLines(file)) {
    if (line.startsWith(SIGNATURE)) signature = line.slice(SIGNATURE.length)
    else digest.update(`${line}\n`)
  }
  const hash = digest.digest()
  const isSound =
    signature !== undefined &&
    verify(null, hash, createPublicKey(keyPem), Buffer.from(signature, 'base64'))
  if (!isSound)
    throw new Error(`The signature of ${file} is invalid: the file was changed or truncated.`)
  return hash
}

/** Checks the signature first, then yields the lines above it. */
export async function* readSignedLines(file: string, keyPem: string): AsyncGenerator<string> {
  await checkSignature(file, keyPem)
  for await (const line of readLines(file)) if (!line.startsWith(SIGNATURE)) yield line
}

function readLines(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file), crlfDelay: Infinity })
}
