/** Creates a new input from inputs that reached new places. */
import type { Dice } from '../../clients/dice.ts'

const INTERESTING = [0, 1, 9, 10, 13, 32, 34, 39, 44, 46, 47, 48, 57, 58, 59, 61, 92, 127, 128, 255]
const LENGTH_MAX = 4_096

export function mutateInput(
  corpus: readonly Buffer[],
  dictionary: readonly string[],
  dice: Dice,
): Buffer {
  let input = dice.pick(corpus)
  for (let time = dice.between(1, 4); time > 0; time--) {
    input = mutateOnce(input, corpus, dictionary, dice)
  }
  return input.subarray(0, LENGTH_MAX)
}

function mutateOnce(
  input: Buffer,
  corpus: readonly Buffer[],
  dictionary: readonly string[],
  dice: Dice,
): Buffer {
  const at = dice.between(0, input.length)
  const until = Math.min(input.length, at + dice.between(1, 8))
  const [before, within] = [input.subarray(0, at), input.subarray(at, until)]
  const insert = (bytes: Buffer) => Buffer.concat([before, bytes, input.subarray(at)])
  const replace = (bytes: Buffer) => Buffer.concat([before, bytes, input.subarray(until)])
  const other = dice.pick(corpus)
  const makers = [
    () => replace(Buffer.alloc(0)),
    () => replace(Buffer.from([dice.pick(INTERESTING)])),
    () => replace(Buffer.from([dice.between(0, 255)])),
    () => insert(Buffer.from([dice.pick(INTERESTING)])),
    () => insert(within),
    () => insert(Buffer.alloc(dice.pick([2, 9, 63, 64, 255, 512]), within[0] ?? 48)),
    () => insert(Buffer.from(dice.pick(dictionary))),
    () => replace(Buffer.from(dice.pick(dictionary))),
    () => Buffer.concat([before, other.subarray(dice.between(0, other.length))]),
    () => replace(Buffer.from(within.toString('latin1').toUpperCase(), 'latin1')),
  ]
  return dice.pick(makers)()
}
