import { describe, expect, it } from 'vitest'
import { FUNCTIONS, LARGE, STATEMENTS, TABLES } from '../../../../test/support/data/sql-attacks.ts'
import { CANARY, startBoth } from '../../../../test/support/data/user-sql.ts'

describe('SQL confinement', () => {
  it.each([
    ['tables', TABLES],
    ['functions', FUNCTIONS],
    ['statements', STATEMENTS],
    ['sizes', LARGE],
  ])('refuses every attack through %s with an explanation', async (_, attempts) => {
    const stores = await startBoth()

    const open: string[] = []
    for (const attempt of attempts) {
      for (const store of stores) {
        const outcome = await store.run(attempt).catch((error) => error)
        const isRefused = outcome.statusCode === 400 && /^\S.{10,}/.test(outcome.message)
        if (!isRefused)
          open.push(
            `${attempt.slice(0, 100)}: ${outcome.message ?? JSON.stringify(outcome.results)}`,
          )
      }
    }

    expect(open).toEqual([])
  })

  it.each([
    'select * from "events"',
    'select * from EVENTS',
    'select * from events -- main.events',
    'select /* from main.events */ * from events',
    "select *, 'main.events' from events",
    'select *, $$; drop table events$$ from events',
    "select *, 'it''s; drop table events --' from events",
    'select *, "properties"."\'; drop table events; --" from events',
    "select *, properties['\"; drop table events; --'] from events",
    'select event as "a"";drop table events;--" from events',
    'with "x"";y" as (select * from events) select * from "x"";y"',
    'with main as (select * from events) select * from main',
    'with events as (select * from events) select * from events',
    'with events as (select 1 as event) select * from events',
    'with pg_class as (select event from events) select * from pg_class',
    'select * from events e where e.event = e.event or 1 = 1 or true',
    'select * from events events, (select * from events) b',
    `select event from events where event like '%' or event <> '' or true`,
    `select properties.amount, properties.plan, properties['$browser'] from events`,
    `select event${', event'.repeat(400)} from events`,
    `select concat(${"event, 'x', ".repeat(24)}event) from events`,
    'select x from (select concat(x, x, x, x) as x from (select concat(x, x, x, x) as x from (select concat(event, event, event, event) as x from events)))',
  ])("returns only the project's events for query %#", async (text) => {
    for (const store of await startBoth()) {
      const result = await store.run(text, { limit: 500 })

      expect(result.results.length).toBeGreaterThan(0)
      expect(JSON.stringify(result)).not.toContain(CANARY)
    }
  })

  it('explains that a regular expression needs too much memory', async () => {
    for (const store of await startBoth()) {
      const outcome = await store
        .run(
          `select count() from events where match(event, '(((((a{1,9}){1,9}){1,9}){1,9}){1,9})')`,
        )
        .catch((error) => error)

      expect([400, 503]).toContain(outcome.statusCode)
      expect(outcome.message).toMatch(/repetition|memory/)
    }
  })
})
