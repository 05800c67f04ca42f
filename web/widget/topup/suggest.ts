/** 10, 25, 50 and 100 in most currencies; the same steps on another scale where the limits require it. */

const STEPS = [10n, 25n, 50n, 100n]
/** In order of preference: in most currencies, 100 minor units are one major unit. */
const SCALES = [100n, 1000n, 10n, 10_000n, 1n, 100_000n, 1_000_000n]

export function suggestAmounts(minMinor: bigint, maxMinor: bigint, exponent: number): bigint[] {
  let best: bigint[] = []
  for (const scale of SCALES) {
    const fitting = STEPS.map((step) => step * scale).filter(
      (minor) => minor >= minMinor && minor <= maxMinor && (exponent < 3 || minor % 10n === 0n),
    )
    if (fitting.length > best.length) best = fitting
  }
  return best
}
