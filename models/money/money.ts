/** The model of money: operations of client apps, from the request to everything that readers see of them. */
import type { Model } from '../check-model.ts'
import { plan, type Plan } from './commands.ts'
import { MUST_HIT } from './must-hit.ts'
import { play } from './play.ts'
import { RARE } from './rare.ts'
import { Run } from './run.ts'
import { isTooOld, openMoneyWorld } from './world.ts'

export const MODEL: Model<Plan> = {
  name: 'money',
  plan,
  plans: 70,
  first: RARE,
  mustHit: MUST_HIT,
  async open(hit) {
    let world = await openMoneyWorld()
    return {
      async play(each, note) {
        if (isTooOld(world)) {
          await world.close()
          world = await openMoneyWorld()
        }
        await play(new Run(world, each, { note, hit }))
      },
      close: () => world.close(),
    }
  },
}
