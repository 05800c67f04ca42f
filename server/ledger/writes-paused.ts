import { ServiceError } from '../service-error.ts'

/** A pause lasts minutes, so retrying every second does not help. */
const RETRY_AFTER_SECONDS = 30

/** An operator has paused writes: nothing was decided, and the same request can be sent again. */
export class WritesPaused extends ServiceError {
  constructor() {
    super('SERVICE_UNAVAILABLE', undefined, RETRY_AFTER_SECONDS)
    this.message =
      'Writes are paused by an operator. Nothing was decided; resume them and try again.'
  }
}
