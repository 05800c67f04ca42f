import { explainFault } from '../processor/stripe.ts'
import { ServiceError } from '../service-error.ts'
import type { TopupTools } from './settle.ts'

/** Whatever the processor answered or did not, the caller may try again. Why stands in the log. */
export async function askProcessor<Answer>(
  { log }: Pick<TopupTools, 'log'>,
  answer: Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    const fault = explainFault(error)
    if (fault === undefined) throw error
    log.warn(fault, 'the card processor did not answer as expected')
    throw new ServiceError('PAYMENT_PROVIDER_ERROR')
  }
}
