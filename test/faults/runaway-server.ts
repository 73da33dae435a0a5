import { sql } from 'kysely'
import { startServer } from '#server/cli/serve.ts'
import { readConfig } from '#server/config.ts'

/** A server that can be told to run a statement that its database cannot stop while it plans. */
const config = readConfig()

const nested = (count: number) =>
  `${'select event, count(*) as n from ('.repeat(count)}select event, 1 as n from facts${') t group by event'.repeat(count)}`

const chained = (count: number) =>
  `with a0 as (select event as x from facts), ${Array.from({ length: count }, (_, n) => `a${n + 1} as (select x from a${n})`).join(', ')}
    select count(*) from a${count}`

const statement = config.databaseUrl ? chained(700) : nested(40)

const { url } = await startServer(config, {
  runsApps: false,
  runs: 1,
  addRoutes(app, { events }) {
    app.post(
      '/unstoppable',
      { config: { scope: 'public', pages: 'own' }, schema: { hide: true } },
      () => events.query(1, { properties: [], toSql: () => sql.raw(statement), timeoutMs: 500 }),
    )
  },
})
process.stdout.write(`Hedgerow is ready at ${url}\n`)
