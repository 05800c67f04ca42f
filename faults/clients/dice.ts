/** Repeatable random numbers: the same seed and name give the same sequence. */
export class Dice {
  #a: number
  #b = 0x9e3779b9
  #c = 0x243f6a88
  #counter = 1

  constructor(seed: number, name = '') {
    this.#a = seed >>> 0
    for (const letter of name) this.#b = Math.imul(this.#b ^ letter.charCodeAt(0), 0x01000193)
    for (let round = 0; round < 12; round++) this.next()
  }

  /** At least 0 and below 1, from the generator sfc32. */
  next(): number {
    const result = (this.#a + this.#b + this.#counter++) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + result
    return (result >>> 0) / 2 ** 32
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  /** An integer from least to most, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)]
    if (item === undefined) throw new Error('the list to pick from is empty')
    return item
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    const ranked = items.map((item) => ({ item, rank: this.next() }))
    return ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item)
  }
}
