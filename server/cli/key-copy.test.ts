import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readKeyCopy, writeKeyCopy } from './key-copy.ts'

const SECRETS = {
  SECRET_PEPPERS: `p1:${Buffer.alloc(32, 1).toString('base64')}`,
  ADMIN_KEYS: 'a=b',
}
const PASSPHRASE = 'caf\u00e9 and five more words'

describe('a copy of the keys', () => {
  it('contains the same secrets after it was decrypted, also with other line ends and spellings', async () => {
    const text = await writeKeyCopy(SECRETS, PASSPHRASE)
    assert.match(text, /^-----BEGIN COFFER KEYS-----\nVersion: 1\nCreated: 20/)
    for (const value of Object.values(SECRETS)) assert(!text.includes(value))
    const other = await writeKeyCopy(SECRETS, PASSPHRASE)
    assert.notEqual(other.split('\n\n')[1], text.split('\n\n')[1])
    for (const same of [text, text.replaceAll('\n', '\r\n'), `Printed:\n${text}\n`]) {
      assert.deepEqual(await readKeyCopy(same, PASSPHRASE), SECRETS)
    }
    assert.deepEqual(await readKeyCopy(text, PASSPHRASE.normalize('NFD')), SECRETS)
  })

  it('is refused with another passphrase, and if any part of it was changed', async () => {
    const text = await writeKeyCopy(SECRETS, PASSPHRASE)
    const isWrong = /the passphrase is wrong, or the file was changed/
    await assert.rejects(readKeyCopy(text, `${PASSPHRASE}.`), isWrong)
    const [head = '', data = ''] = text.split('\n\n')
    const flip = (letter: string) => (letter === 'A' ? 'B' : 'A')
    for (const changed of [
      text.replace('Contains: SECRET_PEPPERS', 'Contains: secret_peppers'),
      text.replace(/Created: 2/, 'Created: 1'),
      `${head}\n\n${data.replace(/^./, flip)}`,
      text.replace(/Salt: ./, 'Salt: /'),
      `${head}\n\n${data.split('\n').slice(1).join('\n')}`,
    ]) {
      assert.notEqual(changed, text)
      await assert.rejects(readKeyCopy(changed, PASSPHRASE), isWrong)
    }
  })

  it('is refused if it is none, not complete, or has another method', async () => {
    const text = await writeKeyCopy(SECRETS, PASSPHRASE)
    for (const none of ['', 'SECRET_PEPPERS=p1:x', text.slice(0, -30)]) {
      await assert.rejects(readKeyCopy(none, PASSPHRASE), /is not a copy of keys, or only a part/)
    }
    for (const other of [
      text.replace('Version: 1', 'Version: 2'),
      text.replace('131072', '1024'),
    ]) {
      await assert.rejects(readKeyCopy(other, PASSPHRASE), /does not know/)
    }
  })
})
