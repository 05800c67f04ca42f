import { useRef, useState } from 'preact/hooks'

/** Runs a task once at a time and returns whether it is running. */
export function useBusy(task: () => Promise<void>): [boolean, () => void] {
  const [isBusy, setIsBusy] = useState(false)
  // isBusy changes only at the next render, so a ref prevents a second call before it.
  const isRunning = useRef(false)
  async function run() {
    if (isRunning.current) return
    isRunning.current = true
    setIsBusy(true)
    try {
      await task()
    } finally {
      isRunning.current = false
      setIsBusy(false)
    }
  }
  return [isBusy, () => void run()]
}
