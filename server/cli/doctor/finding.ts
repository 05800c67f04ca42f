/** What `coffer doctor` reports. */
export interface Finding {
  /** error: it does not work, or money is at risk. */
  state: 'ok' | 'warning' | 'error'
  text: string
  fix?: string
}

export const ok = (text: string): Finding => ({ state: 'ok', text })
export const warning = (text: string, fix: string): Finding => ({ state: 'warning', text, fix })
export const error = (text: string, fix: string): Finding => ({ state: 'error', text, fix })
