/**
 * Compares with Directus, and with SQL written by hand for PostgreSQL, each side by side in one run. It is no part of
 * `npm run bench`, because it installs Directus from npm: `node bench/peers.ts [--only directus] [--no-report]`.
 * `--directus` names a folder where that version is installed already.
 */
import { parseArgs } from 'node:util'
import { appendHistory } from './history.ts'
import { measureDirectus } from './peers-directus.ts'
import { measureByHand } from './peers-postgres.ts'
import { writeReport } from './report.ts'
import type { Result } from './result.ts'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    directus: { type: 'string' },
    'no-report': { type: 'boolean', default: false },
  },
})
const say = (text: string) => void process.stderr.write(`${text}\n`)

const results: Result[] = []
if ('directus'.includes(options.only))
  results.push(...(await measureDirectus(say, options.directus)))
if ('postgres'.includes(options.only)) results.push(...(await measureByHand(say)))
if (!options['no-report']) {
  await appendHistory(results)
  await writeReport()
}
