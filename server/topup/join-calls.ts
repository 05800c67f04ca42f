/**
 * Joins concurrent calls with the same key. Those that arrive while a call is in progress share the next one, which
 * starts after it. So every caller gets a result that is newer than its request.
 */
export function joinCalls<Item, Value>(
  keyOf: (item: Item) => string,
  call: (item: Item) => Promise<Value>,
): (item: Item) => Promise<Value> {
  const running = new Map<string, Promise<Value>>()
  const waiting = new Map<string, Promise<Value>>()

  function start(key: string, item: Item): Promise<Value> {
    const started = call(item).finally(() => running.delete(key))
    running.set(key, started)
    return started
  }

  return (item) => {
    const key = keyOf(item)
    const current = running.get(key)
    if (current === undefined) return start(key, item)
    const startNext = () => {
      waiting.delete(key)
      return running.get(key) ?? start(key, item)
    }
    const joined = waiting.get(key) ?? current.then(startNext, startNext)
    waiting.set(key, joined)
    return joined
  }
}
