/**
 * SHA-256 of short inputs, in WebAssembly. A call of node:crypto takes longer than the hash of so few bytes, because
 * OpenSSL and Node allocate objects for it, and the same rounds in JavaScript take longer. `verify` makes two hashes per
 * operation. `npm run bench:verify` measures it.
 */
const BLOCK_BYTES = 64
const WORDS = 8

/** The first 32 bits of the fractional part. */
function fractionOf(root: number): number {
  return ((root % 1) * 2 ** 32) | 0
}

const primes: number[] = []
for (let candidate = 2; primes.length < 64; candidate++) {
  if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate)
}
const START = primes.slice(0, WORDS).map((prime) => fractionOf(Math.sqrt(prime)))
const CONSTANTS = primes.map((prime) => fractionOf(Math.cbrt(prime)))

/** Instructions of WebAssembly, as bytes. An expression leaves one number on the stack. */
type Code = number[]
const [I32, EMPTY, ALIGNED] = [0x7f, 0x40, 2]
const [LOOP, BRANCH, LESS, END_OF_BLOCK] = [0x03, 0x0d, 0x49, 0x0b]
const OPERATORS = { add: 0x6a, and: 0x71, or: 0x72, xor: 0x73, shr: 0x76, rotl: 0x77, rotr: 0x78 }

/** LEB128: seven bits per byte, the lowest first; the last byte has no high bit and shows the sign. */
function encode(value: number, isSigned: boolean): Code {
  const bytes: Code = []
  for (let rest = value; ;) {
    const byte = rest & 127
    rest = isSigned ? rest >> 7 : rest >>> 7
    const isLast = isSigned ? rest === (byte & 64 ? -1 : 0) : rest === 0
    bytes.push(isLast ? byte : byte | 128)
    if (isLast) return bytes
  }
}

const get = (local: number): Code => [0x20, ...encode(local, false)]
const set = (local: number, value: Code): Code => [...value, 0x21, ...encode(local, false)]
const number = (value: number): Code => [0x41, ...encode(value, true)]
const load = (address: Code, offset: number): Code => [
  ...address,
  0x28,
  ALIGNED,
  ...encode(offset, false),
]
const store = (address: Code, offset: number, value: Code): Code => [
  ...address,
  ...value,
  0x36,
  ALIGNED,
  ...encode(offset, false),
]

/** Combines expressions from the left to the right. */
function combine(operator: keyof typeof OPERATORS, first: Code, ...others: Code[]): Code {
  return others.reduce((code, other) => [...code, ...other, OPERATORS[operator]], first)
}
const rotate = (x: Code, bits: number) => combine('rotr', x, number(bits))
const shift = (x: Code, bits: number) => combine('shr', x, number(bits))

/** The local variables: two parameters, the words of the block, the state, the state before the block, and one more. */
const [AT, END, WORD, STATE, BEFORE, TEMPORARY] = [0, 1, 2, 18, 26, 34]
const word = (index: number) => WORD + (index % 16)
const eight = Array.from({ length: WORDS }, (_, index) => index)

/** A word in the order of bytes that SHA-256 uses. WebAssembly uses the other one. */
function loadWord(index: number): Code {
  const loaded = get(TEMPORARY)
  const odd = combine('and', combine('rotl', loaded, number(8)), number(0x00ff00ff))
  const even = combine('and', rotate(loaded, 8), number(0xff00ff00 | 0))
  return [
    ...set(TEMPORARY, load(get(AT), 4 * index)),
    ...set(word(index), combine('or', odd, even)),
  ]
}

/** The next word of the schedule. */
function extend(round: number): Code {
  const [x, y] = [get(word(round + 1)), get(word(round + 14))]
  const sigma0 = combine('xor', rotate(x, 7), rotate(x, 18), shift(x, 3))
  const sigma1 = combine('xor', rotate(y, 17), rotate(y, 19), shift(y, 10))
  const sum = combine('add', get(word(round)), sigma0, get(word(round + 9)), sigma1)
  return set(word(round), sum)
}

/** One round. `names` are the local variables that hold a to h at its start. */
function addRound(round: number, names: number[]): Code {
  const [a, b, c, d, e, f, g, h] = names.map(get) as [
    Code,
    Code,
    Code,
    Code,
    Code,
    Code,
    Code,
    Code,
  ]
  const sum1 = combine('xor', rotate(e, 6), rotate(e, 11), rotate(e, 25))
  const choice = combine('xor', g, combine('and', e, combine('xor', f, g)))
  const sum0 = combine('xor', rotate(a, 2), rotate(a, 13), rotate(a, 22))
  const majority = combine('or', combine('and', a, b), combine('and', c, combine('or', a, b)))
  const first = combine(
    'add',
    h,
    sum1,
    choice,
    number(CONSTANTS[round] as number),
    get(word(round)),
  )
  return [
    ...(round < 16 ? [] : extend(round)),
    ...set(TEMPORARY, first),
    ...set(names[3] as number, combine('add', d, get(TEMPORARY))),
    ...set(names[7] as number, combine('add', get(TEMPORARY), sum0, majority)),
  ]
}

/** Hashes the blocks from `AT` to `END` and stores the result at the start of the memory. All rounds are written out. */
function writeFunction(): Code {
  let names = eight.map((index) => STATE + index)
  const rounds = CONSTANTS.flatMap((_, round) => {
    const code = addRound(round, names)
    names = [...names.slice(-1), ...names.slice(0, -1)]
    return code
  })
  return [
    ...eight.flatMap((index) => set(STATE + index, number(START[index] as number))),
    LOOP,
    EMPTY,
    ...eight.flatMap((index) => set(BEFORE + index, get(STATE + index))),
    ...Array.from({ length: 16 }, (_, index) => loadWord(index)).flat(),
    ...rounds,
    ...eight.flatMap((index) =>
      set(STATE + index, combine('add', get(STATE + index), get(BEFORE + index))),
    ),
    ...set(AT, combine('add', get(AT), number(BLOCK_BYTES))),
    // Repeats while AT is less than END.
    ...get(AT),
    ...get(END),
    LESS,
    BRANCH,
    0,
    END_OF_BLOCK,
    ...eight.flatMap((index) => store(number(0), 4 * index, get(STATE + index))),
    END_OF_BLOCK,
  ]
}

/** A module with one page of memory and one function, exported as `m` and `h`. */
function writeModule(): Uint8Array<ArrayBuffer> {
  const sized = (code: Code): Code => [...encode(code.length, false), ...code]
  const locals = TEMPORARY + 1 - 2
  const sections: [number, Code][] = [
    [1, [1, 0x60, 2, I32, I32, 0]],
    [3, [1, 0]],
    [5, [1, 0, 1]],
    [7, [2, 1, 109, 2, 0, 1, 104, 0, 0]],
    [10, [1, ...sized([1, locals, I32, ...writeFunction()])]],
  ]
  const header = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
  return Uint8Array.from([...header, ...sections.flatMap(([id, code]) => [id, ...sized(code)])])
}

const instance = new WebAssembly.Instance(new WebAssembly.Module(writeModule()))
const { m: memory, h: hashBlocks } = instance.exports as {
  m: WebAssembly.Memory
  h: (at: number, end: number) => void
}
const result = new Int32Array(memory.buffer, 0, WORDS)

/** Write the padded input here. */
export const input = Buffer.from(memory.buffer, BLOCK_BYTES)

/** How many bytes an input needs with its padding. */
export function paddedBytes(length: number): number {
  return Math.ceil((length + 9) / BLOCK_BYTES) * BLOCK_BYTES
}

/** Writes the padding after the input. */
export function pad(bytes: Buffer, length: number) {
  const end = paddedBytes(length)
  bytes[length] = 0x80
  for (let at = length + 1; at < end - 4; at++) bytes[at] = 0
  bytes.writeUInt32BE(8 * length, end - 4)
}

/** The hash of `input`, in eight words. The result is valid until the next call. */
export function hashInput(bytes: number): Int32Array {
  hashBlocks(BLOCK_BYTES, BLOCK_BYTES + bytes)
  return result
}
