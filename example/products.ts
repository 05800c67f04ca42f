/** What the shop sells. Prices are decimals as text: no arithmetic is done with them. */
export interface Product {
  id: string
  name: string
  price: string
  /** Sold by weight: the price is the most that it can cost, and is reserved. This is what it costs once weighed. */
  weighedPrice?: string
}

export const PRODUCTS: Product[] = [
  { id: 'espresso', name: 'Espresso', price: '2.80' },
  { id: 'beans', name: 'House blend, 250 g', price: '11.50' },
  { id: 'tea', name: 'Loose tea, by weight', price: '15.00', weighedPrice: '12.40' },
  { id: 'grinder', name: 'Hand grinder', price: '64.00' },
]

/** The currency of the wallet service. */
const CURRENCY = 'USD'

/** For people: "$2.80". */
export function showPrice(price: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: CURRENCY })
  return format.format(Number(price))
}

/** What an order costs once it is weighed; undefined if it has a fixed price. */
export function findWeighedPrice({ item }: { item: string }): string | undefined {
  return PRODUCTS.find(({ name }) => name === item)?.weighedPrice
}

export function findProduct(id: string | undefined): Product | undefined {
  return PRODUCTS.find((product) => product.id === id)
}
