import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPasswords } from './hash-password.ts'

/** Of the password below. */
const STORED =
  '$argon2id$v=19$m=19456,t=2,p=1$zYWV1uDKOT9blsYt2dAhMg$FmokkqYXdsau1FhmijEzukU7hDHURI+b52m7MjWMd3w'
const PASSWORD = 'Größe final A7'

describe('a password', () => {
  it('stays right for a stored hash, however its letters are typed', async () => {
    const passwords = await createPasswords(1_000)
    const isRight = (password: string) => passwords.isRight(password, STORED)
    assert.equal(await isRight(PASSWORD), true)
    assert.equal(await isRight(PASSWORD.normalize('NFD')), true)
    assert.equal(await isRight('Größe \u{FB01}nal \u{FF21}7'), true)
    assert.equal(await isRight('Grösse final A7'), false)
    assert.equal(await isRight('größe final a7'), false)
  })
})
