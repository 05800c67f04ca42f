import * as styles from './test-mode.module.css'

export function TestMode({ text }: { text: string }) {
  return <aside class={styles.testMode}>{text}</aside>
}
