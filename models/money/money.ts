/** The model of money: operations of client apps, from the request to everything that readers see of them. */
import type { Model } from '../check-model.ts'
import { plan, type Plan } from './commands.ts'
import { MUST_HIT } from './must-hit.ts'
import { play } from './play.ts'
import { RARE } from './rare.ts'
import { Run } from './run.ts'
import { isTooOld, openMoneySetup } from './setup.ts'

export const MODEL: Model<Plan> = {
  name: 'money',
  plan,
  plans: 70,
  first: RARE,
  mustHit: MUST_HIT,
  async open(hit) {
    let setup = await openMoneySetup()
    return {
      async play(each, note) {
        if (isTooOld(setup)) {
          await setup.close()
          setup = await openMoneySetup()
        }
        await play(new Run(setup, each, { note, hit }))
      },
      close: () => setup.close(),
    }
  },
}
