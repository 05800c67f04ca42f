import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { readSignedLines, writeSignedLines } from './signed-lines.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const privatePem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const publicPem = publicKey.export({ type: 'spki', format: 'pem' }) as string

describe('signed lines', () => {
  let folder: string
  let file: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'coffer-lines-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  async function write(lines: string[], beforeSigning = async () => undefined) {
    file = join(folder, 'lines')
    async function* all() {
      yield* lines
    }
    return writeSignedLines(await open(file, 'w'), privatePem, all(), beforeSigning)
  }
  const read = () => Array.fromAsync(readSignedLines(file, publicPem))
  const REFUSED = {
    message: /^The signature of .* is invalid: the file was changed or truncated\.$/,
  }

  it('are read as they were written, also many', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}`)
    await write(lines)
    assert.deepEqual(await read(), lines)
  })

  it('are on disk before they are signed', async () => {
    let written = ''
    await write(['first', 'second'], async () => void (written = readFileSync(file, 'utf8')))
    assert.equal(written, 'first\nsecond\n')
  })

  const CHANGES: [string, () => void][] = [
    ['a changed line', () => writeFileSync(file, readFileSync(file, 'utf8').replace('one', 'two'))],
    ['a line after the signature', () => appendFileSync(file, 'more\n')],
    [
      'a second signature',
      () => appendFileSync(file, `signature ${Buffer.alloc(64).toString('base64')}\n`),
    ],
    ['no signature', () => writeFileSync(file, 'one\n')],
    ['nothing', () => writeFileSync(file, '')],
  ]
  for (const [title, change] of CHANGES) {
    it(`are refused with ${title}`, async () => {
      await write(['one'])
      change()
      await assert.rejects(read(), REFUSED)
    })
  }
})
