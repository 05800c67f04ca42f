/** A client app can choose any color; text in or on it stays readable (contrast of at least 4.5). */

type Rgb = readonly [number, number, number]

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
const READABLE = 4.5
/** A button's surface must be distinguishable from the background. */
const VISIBLE = 1.4

/** The least favorable backgrounds of tokens.css: --bg-subtle. */
const SCHEMES = {
  light: { background: [245, 246, 248], away: BLACK },
  dark: { background: [26, 29, 36], away: WHITE },
} as const satisfies Record<string, { background: Rgb; away: Rgb }>

export function applyAccent(accent: string | null, root: HTMLElement = document.documentElement) {
  for (const [name, value] of Object.entries(accent === null ? {} : deriveAccent(accent))) {
    root.style.setProperty(name, value)
  }
}

/** The custom properties for a color; none if it is not '#rrggbb'. */
export function deriveAccent(accent: string): Record<string, string> {
  const color = parse(accent)
  if (!color) return {}
  const properties: Record<string, string> = { '--accent': accent }
  for (const [scheme, { background, away }] of Object.entries(SCHEMES)) {
    const fill = mixUntil(color, away, (mixed) => contrast(mixed, background) >= VISIBLE)
    const isWhiteReadable = contrast(WHITE, fill) >= READABLE
    const text = mixUntil(color, away, (mixed) => contrast(mixed, background) >= READABLE)
    properties[`--accent-fill-${scheme}`] = print(fill)
    properties[`--on-accent-${scheme}`] = print(isWhiteReadable ? WHITE : BLACK)
    properties[`--accent-shade-${scheme}`] = print(isWhiteReadable ? BLACK : WHITE)
    properties[`--accent-text-${scheme}`] = print(text)
  }
  return properties
}

export function contrastOf(first: string, second: string): number {
  return contrast(parse(first) ?? BLACK, parse(second) ?? BLACK)
}

function parse(hex: string): Rgb | null {
  if (!/^#[0-9a-f]{6}$/i.test(hex)) return null
  const [r, g, b] = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16))
  return [r ?? 0, g ?? 0, b ?? 0]
}

function print(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function mixUntil(color: Rgb, other: Rgb, isEnough: (mixed: Rgb) => boolean): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const [r, g, b] = color.map((part, at) => Math.round(part + ((other[at] ?? 0) - part) * share))
    const mixed = [r ?? 0, g ?? 0, b ?? 0] as const
    if (isEnough(mixed)) return mixed
  }
  return other
}

/** As WCAG 2 defines it. */
function contrast(first: Rgb, second: Rgb): number {
  const one = luminance(first)
  const other = luminance(second)
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
}

function luminance(color: Rgb): number {
  const [r, g, b] = color.map((part) => {
    const share = part / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
