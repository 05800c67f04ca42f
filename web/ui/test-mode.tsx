import './test-mode.css'

export function TestMode({ text }: { text: string }) {
  return <aside class="test-mode">{text}</aside>
}
