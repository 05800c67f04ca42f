/** Placeholders for content that is loading. */
import * as styles from './placeholder.module.css'

export function Spinner() {
  return <span class={styles.spinner} aria-hidden="true" />
}

/** As wide as `length` characters and as high as a line, so that nothing moves when the text appears. */
export function TextPlaceholder({ length }: { length: number }) {
  return <span class={`${styles.placeholder} ${styles.text}`} style={{ width: `${length}ch` }} />
}
