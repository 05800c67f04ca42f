/** Lets loops wait until something has changed. They check then what it was, and may wait again. */
export class Signal {
  #next: PromiseWithResolvers<void> | undefined

  get isAwaited(): boolean {
    return this.#next !== undefined
  }

  wait(): Promise<void> {
    this.#next ??= Promise.withResolvers()
    return this.#next.promise
  }

  notify(): void {
    this.#next?.resolve()
    this.#next = undefined
  }
}
