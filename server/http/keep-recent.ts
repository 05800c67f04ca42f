/** A map that keeps only the most recently used entries, so that invented keys cannot fill the memory. */
import { LRUCache } from 'lru-cache'

const KEYS_MAX = 100_000

export function keepRecent<Value extends object>(keysMax = KEYS_MAX): LRUCache<string, Value> {
  // With `max`, each cache would take the memory of all its entries at once.
  return new LRUCache({ maxSize: keysMax, sizeCalculation: () => 1 })
}
