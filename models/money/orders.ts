/** Orders in which operations may have been executed. */

/** All orders of the positions 0 … count - 1 in which `isBefore` holds, beginning with the given one. At most `most`. */
export function listOrders(
  count: number,
  isBefore: (earlier: number, later: number) => boolean,
  most = 2_000,
): number[][] {
  const orders: number[][] = []
  const positions = Array.from({ length: count }, (_, position) => position)
  const extend = (order: readonly number[]) => {
    if (orders.length === most) return
    if (order.length === count) orders.push([...order])
    const left = positions.filter((position) => !order.includes(position))
    for (const position of left) {
      const mustWait = left.some((other) => other < position && isBefore(other, position))
      if (!mustWait) extend([...order, position])
    }
  }
  extend([])
  return orders
}
