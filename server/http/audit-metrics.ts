import prometheus from 'prom-client'

export interface AuditMetrics {
  /** Wrong entries of the audit log. */
  countAuditFault(): void
  /** When the last verification of the audit log that found no fault began. */
  setAuditVerified(began: Date): void
  /** The age of the oldest entry that is not in AUDIT_LOG_FILE; 0 if there is none. */
  setAuditFileLag(seconds: number): void
}

export function createAuditMetrics(registers: prometheus.Registry[]): AuditMetrics {
  const faults = new prometheus.Counter({
    name: 'coffer_audit_faults_total',
    help: 'Faults that the verification found in the audit log. Any value above 0 needs investigation.',
    registers,
  })
  const verified = new prometheus.Gauge({
    name: 'coffer_audit_verified_at_seconds',
    help: 'Unix time at which the last verification of the audit log without a fault began; 0 if there was none.',
    aggregator: 'max',
    registers,
  })
  const lag = new prometheus.Gauge({
    name: 'coffer_audit_file_lag_seconds',
    help: 'Age of the oldest entry that is not in AUDIT_LOG_FILE; 0 if all are.',
    aggregator: 'max',
    registers,
  })
  return {
    countAuditFault: () => faults.inc(),
    setAuditVerified: (began) => verified.set(began.getTime() / 1000),
    setAuditFileLag: (seconds) => lag.set(seconds),
  }
}
