/** `npm start`: the shop, with what the environment says. */
import { startShop } from './start-shop.ts'

const { COFFER_URL, COFFER_CLIENT_ID, COFFER_CLIENT_SECRET } = process.env
const { COFFER_WEBHOOK_SECRET, SHOP_FILE, SHOP_URL, PORT, HOST } = process.env
const shop = await startShop({
  coffer: {
    serviceUrl: COFFER_URL,
    clientId: COFFER_CLIENT_ID,
    clientSecret: COFFER_CLIENT_SECRET,
  },
  webhookSecret: COFFER_WEBHOOK_SECRET,
  file: SHOP_FILE ?? 'shop.db',
  port: Number(PORT ?? 3000),
  host: HOST ?? 'localhost',
  url: SHOP_URL,
})
process.stdout.write(`The shop is running at ${shop.url}\n`)
