import prometheus from 'prom-client'

export interface EventMetrics {
  /** The age of the oldest event that is not in its feed; 0 if all are. */
  setEventDelay(seconds: number): void
}

export function createEventMetrics(registers: prometheus.Registry[]): EventMetrics {
  const delay = new prometheus.Gauge({
    name: 'coffer_events_delay_seconds',
    help: 'Age of the oldest event that is not in the feed of its client app; 0 if all are.',
    aggregator: 'max',
    registers,
  })
  return { setEventDelay: (seconds) => delay.set(seconds) }
}
