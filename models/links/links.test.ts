import { testModel } from '../check-model.ts'
import { MODEL } from './links.ts'

testModel(MODEL)
