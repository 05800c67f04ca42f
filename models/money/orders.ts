/** Orders in which operations may have been executed. */

/** All orders of the places 0 … count - 1 in which `isBefore` holds, beginning with the given one. At most `most`. */
export function listOrders(
  count: number,
  isBefore: (earlier: number, later: number) => boolean,
  most = 2_000,
): number[][] {
  const orders: number[][] = []
  const places = Array.from({ length: count }, (_, place) => place)
  const extend = (order: readonly number[]) => {
    if (orders.length === most) return
    if (order.length === count) orders.push([...order])
    const left = places.filter((place) => !order.includes(place))
    for (const place of left) {
      const mustWait = left.some((other) => other < place && isBefore(other, place))
      if (!mustWait) extend([...order, place])
    }
  }
  extend([])
  return orders
}
