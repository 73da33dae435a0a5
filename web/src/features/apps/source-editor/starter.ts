import types from '../../../../../skeleton/hedgerow.d.ts?raw'
import code from '../../../../../skeleton/index.ts?raw'
import pack from '../../../../../skeleton/package.json?raw'
import manifest from '../../../../../skeleton/plugin.json?raw'
import type { ChosenFiles } from '../gallery/app-files.ts'

/** The working app that `hedgerow app new` creates. */
export const STARTER: ChosenFiles = {
  'index.ts': code,
  'plugin.json': manifest,
  'package.json': pack,
  'hedgerow.d.ts': types,
}
