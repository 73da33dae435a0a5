import { describe, expect, it } from 'vitest'
import { readsFilteredEvents } from './reads-filtered.ts'

describe('SQL that {filters} limits as a whole', () => {
  it.each([
    'select count() from events where {filters}',
    'select count() from events e where event = {variables.x} and ( { filters } and 1 = 1)',
    'select 1',
    'with a as (select event from events where {filters}) select * from a join a b on a.event = b.event',
    'select event from events where {filters} union all select event from events where {filters}',
    'select (select count() from events where {filters}) as n from events where {filters}',
    'select * from (select event, count() from events where {filters} group by event) where event > 1',
    'select count() from events where {filters} and event in (select event from events where {filters})',
    'with events as (select event from events where {filters}) select count() from events',
  ])('accepts %s', async (text) => {
    expect(await readsFilteredEvents(text)).toBe(true)
  })

  it.each([
    'select count() from events',
    "select count() from events where event = '{filters}'",
    'select count() from events where {filters} or event is not null',
    'select count() from events where not {filters}',
    'select count() from events where coalesce({filters}, true)',
    'select countIf({filters}), count() from events',
    'select count() from events where {filters.dateRange.from} < timestamp',
    'select event from events where {filters} union all select event from events',
    'select (select count() from events) from events where {filters}',
    'select count() from events where {filters} and event in (select event from events)',
    'with a as (select * from events) select count() from a where {filters}',
    'with a as (select event from events) select count() from events where {filters}',
    'select count() from (select * from events) where {filters}',
    'select count() from events a join events b on a.event = b.event where {filters}',
    'select count() from persons',
    'select count() from events e join persons p on p.id = e.person_id where {filters}',
    'select count() from import_runs',
    'with x("{filters}") as (select true) select count() from events, x where {filters}',
    'select count() from events, (select true as "{filters}") x where {filters}',
    'select count() from events, (select true) x("{filters}") where {filters}',
    'with x as (select {filters} from events where {filters}) select count() from x, events where {filters}',
    'select true as "{filters}" from events where {filters}',
    'select count() from events where {filters} having (select count() from events) > 1',
    'with recursive a as (select 1 union all select 1 from a) select * from a',
  ])('refuses %s', async (text) => {
    expect(await readsFilteredEvents(text)).toBe(false)
  })
})
