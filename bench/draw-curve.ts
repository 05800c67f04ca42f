/** A line plot without a library: few points, plain axes, colours that are readable on light and dark backgrounds. */

export interface CurvePoint {
  millions: number
  /** Relative to the first point. */
  relative: number
}

const WIDTH = 640
const HEIGHT = 320
const LEFT = 64
const RIGHT = 24
const TOP = 40
const BOTTOM = 56
/** The scale starts at zero, so that a loss has its true size. */
const TICKS = [0, 0.25, 0.5, 0.75, 1]

export function drawCurve(points: readonly CurvePoint[]): string {
  const most = Math.max(...points.map((each) => each.millions))
  const top = Math.max(1.1, ...points.map((each) => each.relative * 1.05))
  const x = (millions: number) => LEFT + (millions / most) * (WIDTH - LEFT - RIGHT)
  const y = (relative: number) => HEIGHT - BOTTOM - (relative / top) * (HEIGHT - TOP - BOTTOM)
  const line = points.map((each) => `${at(x(each.millions))},${at(y(each.relative))}`).join(' ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title">
  <title id="title">Debits per second on random wallets as the ledger grows, relative to the first point: ${describe(points)}.</title>
  <style>
    text { font: 13px system-ui, sans-serif; fill: #444 }
    .axis { stroke: #777; stroke-width: 1 }
    .grid { stroke: #999; stroke-width: 1; stroke-opacity: 0.35 }
    .curve { fill: none; stroke: #1f6feb; stroke-width: 2.5 }
    .dot { fill: #1f6feb }
    @media (prefers-color-scheme: dark) {
      text { fill: #ccc }
      .curve { stroke: #6cb0ff }
      .dot { fill: #6cb0ff }
    }
  </style>
  <text x="${LEFT}" y="22">Debits per second, relative to ${points[0]?.millions ?? 0} million operations</text>
${TICKS.map((tick) => drawTick(tick, y(tick))).join('\n')}
  <line class="axis" x1="${LEFT}" y1="${TOP}" x2="${LEFT}" y2="${HEIGHT - BOTTOM}"/>
  <line class="axis" x1="${LEFT}" y1="${HEIGHT - BOTTOM}" x2="${WIDTH - RIGHT}" y2="${HEIGHT - BOTTOM}"/>
  <polyline class="curve" points="${line}"/>
${points.map((each) => drawPoint(each, x(each.millions), y(each.relative))).join('\n')}
  <text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 12}" text-anchor="middle">Operations in the ledger, millions</text>
</svg>
`
}

function drawTick(tick: number, y: number): string {
  return `  <line class="grid" x1="${LEFT}" y1="${at(y)}" x2="${WIDTH - RIGHT}" y2="${at(y)}"/>
  <text x="${LEFT - 8}" y="${at(y + 4)}" text-anchor="end">${tick}</text>`
}

function drawPoint({ millions, relative }: CurvePoint, x: number, y: number): string {
  return `  <circle class="dot" cx="${at(x)}" cy="${at(y)}" r="4"/>
  <text x="${at(x)}" y="${at(y - 10)}" text-anchor="middle">${relative.toFixed(2)}</text>
  <text x="${at(x)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${millions}</text>`
}

function describe(points: readonly CurvePoint[]): string {
  return points.map((each) => `${each.relative.toFixed(2)} at ${each.millions} million`).join(', ')
}

function at(value: number): string {
  return value.toFixed(1)
}
