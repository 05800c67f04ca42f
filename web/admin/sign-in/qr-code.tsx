import { useMemo } from 'preact/hooks'
import { encode } from 'uqr'
import * as styles from './sign-in.module.css'

/** Black on white in both color schemes and with a quiet zone, as cameras expect. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => draw(text), [text])
  return (
    <svg
      class={styles.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path fill="#ffffff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000000" d={path} />
    </svg>
  )
}

function draw(text: string) {
  const { size, data } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return { size, path: squares.join('') }
}
