/** The operations of a month: a line of JSON per row, in the order of wallets and seq, compressed with gzip. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** Some thousand lines, which one statement inserts. */
const PAGE_BYTES = 1 << 20

/** The SHA-256 of the lines, in hex; undefined if the file is damaged. */
export async function hashLines(path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of decompress(path)) hash.update(chunk as Buffer)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) return undefined
    throw error
  }
  return hash.digest('hex')
}

/** The lines. node:readline would also split a line at U+2028, which JSON does not escape. */
export async function* readPages(path: string): AsyncGenerator<string[]> {
  let rest = ''
  for await (const chunk of decompress(path).setEncoding('utf8')) {
    const lines = (rest + (chunk as string)).split('\n')
    rest = lines.pop() ?? ''
    yield lines
  }
}

function decompress(path: string) {
  const lines = createGunzip({ chunkSize: PAGE_BYTES })
  // An error of the file ends the lines with the same error.
  return pipeline(createReadStream(path), lines, () => undefined)
}
