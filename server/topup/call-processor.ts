import type { Logger } from 'pino'
import { explainFault } from '../processor/stripe.ts'
import { ServiceError } from '../service-error.ts'

/** Any failure of the processor becomes one error after which the caller may retry. The log has the details. */
export async function callProcessor<Response>(
  { log }: { log: Logger },
  response: Promise<Response>,
): Promise<Response> {
  try {
    return await response
  } catch (error) {
    const fault = explainFault(error)
    if (fault === undefined) throw error
    log.warn(fault, 'unexpected response from the card processor')
    throw new ServiceError('PAYMENT_PROVIDER_ERROR')
  }
}
