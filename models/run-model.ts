/**
 * Plays one model for some time and prints what happened: `npm run model -- money 60 [SEED]`. Without a seed it takes a
 * random one.
 */
import { checkModel, type Model } from './check-model.ts'

const [, , name = 'money', seconds = '60', seed] = process.argv
const { MODEL } = (await import(`./${name}/${name}.ts`)) as { MODEL: Model<unknown> }
const before = process.cpuUsage()
const checked = await checkModel(MODEL, {
  seconds: Number(seconds),
  seed: seed === undefined ? undefined : Number(seed),
})
const { user, system } = process.cpuUsage(before)
for (const [hit, count] of [...checked.hits.counts].toSorted(([a], [b]) => a.localeCompare(b)))
  console.log(`${count} ${hit}`)
const missing = checked.hits.missing(MODEL.mustHit)
if (missing.length > 0) console.log(`Never happened: ${missing.join(', ')}`)
const { failure, plans } = checked
if (failure) {
  const { message, plan, steps } = failure
  console.log(steps.join('\n'), `\n${JSON.stringify(plan)}\n${message}`)
  console.log(`MODEL_SEED=${failure.seed} MODEL_PATH=${failure.path} repeats it.`)
}
const perMinute = Math.round((60 * plans) / checked.seconds)
const cpuSeconds = Math.round((user + system) / 1e6)
console.log(
  `${plans} plans in ${Math.round(checked.seconds)} s (${perMinute} per minute), ${cpuSeconds} s of CPU`,
)
process.exit(failure || missing.length > 0 ? 1 : 0)
