import { text } from 'node:stream/consumers'
import { OperatorError } from '#server/errors.ts'
import { type ClickHouse, toUnavailable } from './connection.ts'

/** Backups and rebuilds create and drop tables, restores truncate them, and sizes are read from `system.parts`. */
const IN_DATABASE =
  'SELECT, INSERT, CREATE TABLE, DROP TABLE, TRUNCATE, ALTER UPDATE, ALTER DELETE, ALTER ADD COLUMN, ALTER MATERIALIZE COLUMN'

const toGrants = ({ database, layout }: ClickHouse): string[] => [
  `${IN_DATABASE} ON ${database}.*`,
  'SELECT ON system.parts',
  ...(layout.cluster === undefined ? [] : ['CLUSTER ON *.*']),
]

/** Throws unless the user has the rights for everything that Hedgerow does later, not only at a start. */
export async function requireGrants(clickHouse: ClickHouse): Promise<void> {
  const grants = toGrants(clickHouse)
  if (await areGranted(clickHouse, grants)) return
  const missing: string[] = []
  for (const grant of grants) if (!(await areGranted(clickHouse, [grant]))) missing.push(grant)
  const { place, user } = clickHouse
  const statements = missing.map((grant) => `GRANT ${grant} TO ${user}`)
  throw new OperatorError(
    `${place} does not allow the user ${user} everything that Hedgerow needs. Run there: ${statements.join('; ')}.`,
  )
}

/** `CHECK GRANT` allows no FORMAT, which the other methods of the client add. */
async function areGranted(
  { client, place }: ClickHouse,
  grants: readonly string[],
): Promise<boolean> {
  try {
    const { stream } = await client.exec({ query: `CHECK GRANT ${grants.join(', ')}` })
    return (await text(stream)).trim() === '1'
  } catch (error) {
    throw toUnavailable(error, place) ?? error
  }
}
