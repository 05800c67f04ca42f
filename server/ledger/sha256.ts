/**
 * SHA-256 of short inputs, in JavaScript. A call of node:crypto takes about 1.5 µs whatever the length of the input,
 * because OpenSSL and Node allocate objects for it, and this takes about 0.6 µs per block of 64 bytes. `verify` makes
 * two hashes per operation.
 */
const BLOCK_BYTES = 64

/** The first 32 bits of the fractional part. */
function fractionOf(root: number): number {
  return ((root % 1) * 2 ** 32) | 0
}

const primes: number[] = []
for (let candidate = 2; primes.length < 64; candidate++) {
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
}
const START = Int32Array.from(primes.slice(0, 8), (prime) => fractionOf(Math.sqrt(prime)))
const CONSTANTS = primes.map((prime) => fractionOf(Math.cbrt(prime)))

type Names = [string, string, string, string, string, string, string, string]
type Compress = (state: Int32Array, view: DataView, at: number) => void

/** Writes out all 64 rounds: with loops and arrays it takes twice as long. */
function createCompress(): Compress {
  const rotate = (x: string, bits: number) => `((${x} >>> ${bits}) | (${x} << ${32 - bits}))`
  const word = (index: number) => `w${index % 16}`
  let names: Names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const lines = names.map((name, index) => `let ${name} = state[${index}]`)
  for (let index = 0; index < 16; index++) {
    lines.push(`let ${word(index)} = view.getInt32(at + ${4 * index})`)
  }
  lines.push('let t')
  for (const [round, constant] of CONSTANTS.entries()) {
    const [a, b, c, d, e, f, g, h] = names
    if (round >= 16) {
      const [x, y] = [word(round + 1), word(round + 14)]
      const sigma0 = `(${rotate(x, 7)} ^ ${rotate(x, 18)} ^ (${x} >>> 3))`
      const sigma1 = `(${rotate(y, 17)} ^ ${rotate(y, 19)} ^ (${y} >>> 10))`
      lines.push(
        `${word(round)} = (${word(round)} + ${sigma0} + ${word(round + 9)} + ${sigma1}) | 0`,
      )
    }
    const sum0 = `(${rotate(a, 2)} ^ ${rotate(a, 13)} ^ ${rotate(a, 22)})`
    const sum1 = `(${rotate(e, 6)} ^ ${rotate(e, 11)} ^ ${rotate(e, 25)})`
    const choice = `(${g} ^ (${e} & (${f} ^ ${g})))`
    const majority = `((${a} & ${b}) | (${c} & (${a} | ${b})))`
    lines.push(
      `t = (${h} + ${sum1} + ${choice} + ${constant} + ${word(round)}) | 0`,
      `${d} = (${d} + t) | 0`,
      `${h} = (t + ${sum0} + ${majority}) | 0`,
    )
    names = [h, a, b, c, d, e, f, g]
  }
  lines.push(...names.map((name, index) => `state[${index}] += ${name}`))
  // oxlint-disable-next-line typescript/no-implied-eval -- the code is made of constants only
  return new Function('state', 'view', 'at', lines.join('\n')) as Compress
}

const compress = createCompress()
const state = new Int32Array(8)

/** How many bytes an input needs with its padding. */
export function paddedBytes(length: number): number {
  return Math.ceil((length + 9) / BLOCK_BYTES) * BLOCK_BYTES
}

/** Writes the padding after the input. */
export function pad(view: DataView, length: number) {
  const end = paddedBytes(length)
  view.setUint8(length, 0x80)
  for (let at = length + 1; at < end - 4; at++) view.setUint8(at, 0)
  view.setUint32(end - 4, 8 * length)
}

/** The hash of a padded input, in eight words. The result is valid until the next call. */
export function hashPadded(view: DataView, bytes: number): Int32Array {
  state.set(START)
  for (let at = 0; at < bytes; at += BLOCK_BYTES) compress(state, view, at)
  return state
}
