/** Loaded into a service process before anything else: simulates a machine with a wrong clock. Timers are not affected. */
const shiftMs = Number(process.env['FAULTS_CLOCK_SHIFT_MS'] ?? 0)

if (shiftMs !== 0) {
  const RightDate = Date
  class WrongDate extends RightDate {
    constructor(...given: unknown[]) {
      if (given.length === 0) super(RightDate.now() + shiftMs)
      else super(...(given as [number]))
    }

    static override now(): number {
      return RightDate.now() + shiftMs
    }
  }
  globalThis.Date = WrongDate as DateConstructor
}
