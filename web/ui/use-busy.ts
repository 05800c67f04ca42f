import { useState } from 'preact/hooks'

/** Runs a task once at a time and tells whether it runs. */
export function useBusy(task: () => Promise<void>): [boolean, () => void] {
  const [isBusy, setIsBusy] = useState(false)
  async function run() {
    if (isBusy) return
    setIsBusy(true)
    try {
      await task()
    } finally {
      setIsBusy(false)
    }
  }
  return [isBusy, () => void run()]
}
