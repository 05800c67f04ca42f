/** What the shop sells. Prices are decimals as text: no arithmetic is done with them. */
export interface Product {
  id: string
  name: string
  price: string
}

export const PRODUCTS: Product[] = [
  { id: 'espresso', name: 'Espresso', price: '2.80' },
  { id: 'beans', name: 'House blend, 250 g', price: '11.50' },
  { id: 'grinder', name: 'Hand grinder', price: '64.00' },
]

export function findProduct(id: string | undefined): Product | undefined {
  return PRODUCTS.find((product) => product.id === id)
}
