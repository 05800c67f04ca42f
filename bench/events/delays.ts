/** How long events need from their transaction until here. */
export class Delays {
  readonly #seen = new Set<string>()
  readonly #delaysMs: number[] = []
  repeated = 0

  add({ id, createdAt }: { id: string; createdAt: string }) {
    if (this.#seen.has(id)) {
      this.repeated++
      return
    }
    this.#seen.add(id)
    this.#delaysMs.push(Date.now() - Date.parse(createdAt))
  }

  get count(): number {
    return this.#delaysMs.length
  }

  describe(): string {
    const sorted = this.#delaysMs.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? NaN
    return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${sorted.at(-1) ?? NaN} ms`
  }
}
