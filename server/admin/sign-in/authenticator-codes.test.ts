import assert from 'node:assert/strict'
import { TOTP, Secret } from 'otpauth'
import { describe, it } from 'node:test'
import { findStep, generateSeed } from './authenticator-codes.ts'

describe('the code of an authenticator', () => {
  const seed = generateSeed()
  const totp = new TOTP({ secret: new Secret({ buffer: new Uint8Array(seed).buffer }) })
  const STEP_MS = 30_000
  const nowMs = 1_800_000_000_000
  const codeAt = (steps: number) => totp.generate({ timestamp: nowMs + steps * STEP_MS })

  it('is valid in the current, the previous and the next time step', () => {
    for (const steps of [-1, 0, 1]) {
      assert.equal(findStep(seed, codeAt(steps), nowMs), nowMs / STEP_MS + steps)
    }
  })

  it('is invalid if it is older or newer', () => {
    const near = [-1, 0, 1].map(codeAt)
    for (const steps of [-20, -10, -5, -3, -2, 2, 3, 5, 10, 20]) {
      const code = codeAt(steps)
      // One in a million codes equals another by chance.
      if (!near.includes(code)) assert.equal(findStep(seed, code, nowMs), undefined, `${steps}`)
    }
  })
})
