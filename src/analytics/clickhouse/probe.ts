import { text } from 'node:stream/consumers'
import { ClickHouseError } from '@clickhouse/client'
import { withTimeout } from '#server/concurrency.ts'
import { OperatorError } from '#server/errors.ts'
import { type ClickHouse, toUnavailable } from './connection.ts'
import { requireGrants } from './grants.ts'
import { SEMANTICS } from './settings.ts'

/** The oldest version that was tried. */
export const MIN_VERSION = [26, 5] as const

/** Events have the times of Hedgerow's servers, and people compare them with ClickHouse's own logs. */
const MAX_CLOCK_DIFFERENCE_MS = 60_000

/** Statements may take an hour, but captures wait for the probe after a start. */
const MAX_SILENCE_MS = 60_000

/** Each is true only if ClickHouse computes what PostgreSQL and DuckDB compute. */
const EXPECTATIONS: Readonly<Record<string, string>> = {
  'a row without a match has NULL': `(select isNull(b.y) from (select 1 as x) a left join (select 2 as x, 3 as y) b on a.x = b.x)`,
  'NULL stays NULL when it is cast': `isNull(cast(toNullable(materialize(NULL)), 'Int64'))`,
  'a name is a column before it is an alias': `(select count() from (select 2 as x from (select 1 as x) where x = 1)) = 1`,
  'least skips NULL': `ifNull(least(NULL, 1) = 1, false)`,
  'NULL is in no list': `isNull(toNullable(materialize(NULL)) in (1, NULL)) or not (toNullable(materialize(NULL)) in (1, NULL))`,
  'a number is the nearest to its text': `toFloat64('1e300') = 1e300`,
  'times are UTC': `timezone() = 'UTC'`,
  'an unused branch is not computed': `if(materialize(0) = 0, 1, intDiv(1, materialize(0))) = 1`,
}

interface Answer extends Readonly<Record<string, number | boolean>> {
  readonly now: number
}

/** Throws unless the server has a known version, a right clock and the rights for the user, and honors the settings. */
export async function probe(clickHouse: ClickHouse): Promise<void> {
  const { place } = clickHouse
  await soon(place, requireVersion(clickHouse))
  const columns = Object.values(EXPECTATIONS).map((text, index) => `toBool(${text}) as is_${index}`)
  const reading = explain(clickHouse, () =>
    clickHouse.read<Answer>(
      `select toUnixTimestamp64Milli(now64(3, 'UTC')) as now, ${columns.join(', ')}`,
    ),
  )
  const [answer] = await soon(place, reading)
  if (!answer) throw new OperatorError(`${place} did not answer.`)
  const difference = Math.abs(answer.now - Date.now())
  if (difference > MAX_CLOCK_DIFFERENCE_MS) {
    throw new OperatorError(
      `The clock of ${place} differs by ${Math.round(difference / 1000)} s from this machine's. Set both by NTP.`,
    )
  }
  const broken = Object.keys(EXPECTATIONS).filter((_, index) => !answer[`is_${index}`])
  if (broken.length > 0) {
    throw new OperatorError(
      `${place} ignores settings that change results (expected: ${broken.join('; ')}). Allow the user to change them in its profile.`,
    )
  }
  await requireSettings(clickHouse)
  await explain(clickHouse, () => requireGrants(clickHouse))
}

const soon = <T>(place: string, work: Promise<T>): Promise<T> =>
  withTimeout(work, MAX_SILENCE_MS, () => toUnavailable(new Error('timeout'), place) as Error)

/** Comes first: an older server refuses the settings of every other statement, by names that explain nothing. */
async function requireVersion(clickHouse: ClickHouse): Promise<void> {
  const { place } = clickHouse
  const version = await explain(clickHouse, () => readVersion(clickHouse))
  const [, major, minor] = (/^(\d+)\.(\d+)(\.|$)/.exec(version) ?? []).map(Number)
  const [minMajor, minMinor] = MIN_VERSION
  const needed = `ClickHouse ${MIN_VERSION.join('.')} or newer`
  if (major === undefined || minor === undefined) {
    throw new OperatorError(
      `${place} does not answer as ${needed} does, which Hedgerow needs. See EVENTS_URL.`,
    )
  }
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return
  throw new OperatorError(`${place} has version ${version}, and Hedgerow needs ${needed}.`)
}

/** Reads the version without settings. Whatever else answers at this address has none. */
async function readVersion({ client, place }: ClickHouse): Promise<string> {
  try {
    const { stream } = await client.exec({ query: 'select version()' })
    return (await text(stream)).trim()
  } catch (error) {
    if (error instanceof ClickHouseError) throw error
    const unavailable = toUnavailable(error, place)
    if (unavailable) throw unavailable
    return ''
  }
}

/** Reads the settings back: a profile may forbid to change one, and a server may not know it. */
async function requireSettings(clickHouse: ClickHouse): Promise<void> {
  const names = Object.keys(SEMANTICS).map((name) => `'${name}'`)
  const rows = await clickHouse.read<{ name: string; value: string }>(
    `select name, value from system.settings where name in (${names.join()})`,
  )
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  const wrong = Object.entries(SEMANTICS).filter(([name, value]) => values.get(name) !== `${value}`)
  if (wrong.length === 0) return
  throw new OperatorError(
    `${clickHouse.place} does not accept ${wrong.map(([name, value]) => `${name} = ${value}`).join(', ')}. Allow the user to change these settings in its profile.`,
  )
}

const NO_ACCESS = new Set(['497', '164', '452'])
const WRONG_CREDENTIALS = new Set(['516', '194', '193', '192'])
const NO_DATABASE = '81'

/** Runs the work of a start. What an operator has to mend becomes one sentence. */
export async function explain<T>(
  { place, user, database }: ClickHouse,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ClickHouseError)) throw error
    if (WRONG_CREDENTIALS.has(error.code)) {
      throw new OperatorError(`${place} refuses the user ${user} or its password. See EVENTS_URL.`)
    }
    if (error.code === NO_DATABASE) {
      throw new OperatorError(
        `${place} has no such database. Create it: CREATE DATABASE ${database}.`,
      )
    }
    if (NO_ACCESS.has(error.code)) {
      throw new OperatorError(
        `${place} refuses what Hedgerow needs (${firstLine(error.message)}). Allow it: GRANT ALL ON ${database}.* TO ${user}.`,
      )
    }
    throw new OperatorError(`${place} cannot be used: ${firstLine(error.message)}`)
  }
}

const firstLine = (text: string): string => text.split('\n')[0]?.slice(0, 300) ?? ''
