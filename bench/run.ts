import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureAbuse, measureAbuseOnPostgres } from './abuse.ts'
import { measureBackup } from './backup.ts'
import { measureBackupOnPostgres } from './backup-postgres.ts'
import { CLICKHOUSE_PARTS, measureClickHouse } from './clickhouse.ts'
import { createComparison } from './compare.ts'
import { measureEmbeds } from './embeds.ts'
import { measureAppends, measureCapture } from './events.ts'
import { measureSingleEvents } from './events-single.ts'
import { measureFootprint } from './footprint.ts'
import { appendHistory } from './history.ts'
import { measureIdleConfigs } from './idle-configs.ts'
import { measureImports } from './imports.ts'
import { measureInstall } from './install.ts'
import { measurePersons } from './persons.ts'
import { measurePostgres, measureVisitsOnPostgres } from './postgres.ts'
import { measureQueries } from './queries.ts'
import { writeReport } from './report.ts'
import { isMissed, type Result } from './result.ts'
import { RETRIEVE_ON_POSTGRES, SCENARIOS } from './scenarios.ts'
import { seed } from './seed.ts'
import { measureServers } from './servers.ts'
import { measureTiles } from './tiles.ts'
import { measureVisits } from './visits.ts'
import { measureWeb, WEB_PARTS } from './web.ts'
import { measureWebhooks } from './webhooks.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    /** Adds 100 million events, which take some minutes and 15 GB; in ClickHouse, as much again. */
    large: { type: 'boolean', default: false },
    'no-report': { type: 'boolean', default: false },
  },
})
const DASHBOARDS = 10_000

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-bench-'))
const { compareWithBare, compareOnPostgres, compareSizes } = createComparison({
  folder,
  say,
  seconds: Number(options.seconds),
  rounds: Number(options.rounds),
})
const results: Result[] = []
try {
  say(`filling a data folder with ${DASHBOARDS} dashboards`)
  const data = join(folder, 'main')
  await seed(data, DASHBOARDS)
  if (isSelected('footprint')) results.push(...(await measureFootprint(data, say)))
  if (isSelected('install')) results.push(...(await measureInstall(say)))
  for (const scenario of SCENARIOS.filter(({ name }) => isSelected(name))) {
    results.push(...(await compareWithBare(data, scenario)))
  }
  if (isSelected(RETRIEVE_ON_POSTGRES.name)) results.push(...(await compareOnPostgres()))
  if (isSelected('embeds')) results.push(...(await measureEmbeds(join(folder, 'embeds'), say)))
  if (isSelected('growth')) results.push(...(await compareSizes()))
  if (isSelected('append')) results.push(...(await measureAppends(say)))
  if (isSelected('capture')) results.push(...(await measureCapture(say)))
  if (isSelected('single events')) results.push(...(await measureSingleEvents(say)))
  if (isSelected('idle configs')) results.push(...(await measureIdleConfigs(say)))
  if (isSelected('webhooks')) results.push(...(await measureWebhooks(say)))
  if (isSelected('abuse')) results.push(...(await measureAbuse(say)))
  if (isSelected('abuse-pg')) results.push(...(await measureAbuseOnPostgres(say)))
  if (isSelected('queries')) results.push(...(await measureQueries(say, options.large)))
  if (isSelected('persons')) results.push(...(await measurePersons(say)))
  if (isSelected('backup')) results.push(...(await measureBackup(say)))
  if (isSelected('backup-pg')) results.push(...(await measureBackupOnPostgres(say)))
  if (isSelected('postgres')) results.push(...(await measurePostgres(say)))
  if (CLICKHOUSE_PARTS.some(isSelected)) {
    results.push(...(await measureClickHouse(say, { isLarge: options.large, isSelected })))
  }
  if (isSelected('servers')) results.push(...(await measureServers(say)))
  if (isSelected('tiles')) {
    const fresh = join(folder, 'tiles')
    const { results: ofTiles, cached } = await measureTiles(fresh, say)
    results.push(...ofTiles, ...(await compareWithBare(fresh, cached)))
  }
  if (WEB_PARTS.some(isSelected)) results.push(...(await measureWeb(data, say, isSelected)))
  if (isSelected('visits')) {
    results.push(...(await measureVisits(join(folder, 'visits'), say)))
    results.push(...(await measureVisitsOnPostgres(say)))
  }
  if (isSelected('imports')) {
    const fresh = join(folder, 'imports')
    await seed(fresh, 10)
    results.push(...(await measureImports(fresh, say)))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
const missed = results.filter(isMissed)
if (!options['no-report']) {
  await appendHistory(results)
  await writeReport()
}
say(missed.length === 0 ? 'every goal met' : `missed: ${missed.map(({ what }) => what).join(', ')}`)
process.exitCode = missed.length === 0 ? 0 : 1

function isSelected(name: string): boolean {
  return name.includes(options.only)
}

function say(text: string): void {
  process.stderr.write(`${text}\n`)
}
