import prometheus from 'prom-client'

export interface EventMetrics {
  /** The age of the oldest event that is not in its feed; 0 if all are. */
  setEventDelay(seconds: number): void
  /** Seconds by which the reader of new operations is behind the totals; 0 if it is up to date or no job needs it. */
  setReaderDelay(seconds: number): void
  /** How long the oldest delivery to a webhook that works has been due; 0 if none is due. */
  setWebhookDelay(seconds: number): void
  countDelivery(isDelivered: boolean): void
}

export function createEventMetrics(registers: prometheus.Registry[]): EventMetrics {
  const delay = new prometheus.Gauge({
    name: 'coffer_events_delay_seconds',
    help: 'Age of the oldest event that is not in the feed of its client app; 0 if all are.',
    aggregator: 'max',
    registers,
  })
  const readerDelay = new prometheus.Gauge({
    name: 'coffer_operation_reader_delay_seconds',
    help: 'Seconds by which the reader of new operations is behind the totals; 0 if it is up to date or no job needs it.',
    aggregator: 'max',
    registers,
  })
  const webhookDelay = new prometheus.Gauge({
    name: 'coffer_webhooks_delay_seconds',
    help: 'Seconds since the oldest waiting delivery became due, among webhooks whose last delivery succeeded; 0 if none is due.',
    aggregator: 'max',
    registers,
  })
  const deliveries = new prometheus.Counter({
    name: 'coffer_webhook_attempts_total',
    help: 'Attempts to deliver an event to a webhook, by result: succeeded, failed.',
    labelNames: ['result'],
    registers,
  })
  for (const result of ['succeeded', 'failed']) deliveries.inc({ result }, 0)
  return {
    setEventDelay: (seconds) => delay.set(seconds),
    setReaderDelay: (seconds) => readerDelay.set(seconds),
    setWebhookDelay: (seconds) => webhookDelay.set(seconds),
    countDelivery: (isDelivered) =>
      deliveries.inc({ result: isDelivered ? 'succeeded' : 'failed' }),
  }
}
