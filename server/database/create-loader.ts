/**
 * Joins concurrent lookups into one query: lookups that arrive while a query is running form the next one. There is no
 * timer, so an idle service adds no delay.
 */
export function createLoader<Key, Value>(
  load: (keys: Key[]) => Promise<Map<Key, Value>>,
  options: { batchMax: number; concurrency: number },
): (key: Key) => Promise<Value | undefined> {
  interface Waiting {
    key: Key
    resolve: (value: Value | undefined) => void
    reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  let running = 0
  let scheduled = false

  async function run() {
    const batch = waiting.slice(0, options.batchMax)
    waiting = waiting.slice(options.batchMax)
    running++
    try {
      const found = await load([...new Set(batch.map((each) => each.key))])
      for (const each of batch) each.resolve(found.get(each.key))
    } catch (error) {
      for (const each of batch) each.reject(error)
    } finally {
      running--
      pump()
    }
  }

  function pump() {
    scheduled = false
    while (waiting.length > 0 && running < options.concurrency) void run()
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (scheduled || running >= options.concurrency) return
      scheduled = true
      setImmediate(pump)
    })
}
