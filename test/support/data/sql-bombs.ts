/** A family of statements that grow with a number: most are allowed while it is small. */
export type Bomb = (size: number) => string

const times = <T>(count: number, toItem: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => toItem(n))

const list = (count: number, toItem: (n: number) => string, between = ', '): string =>
  times(count, toItem).join(between)

/** Names a query by WITH, and then `count` more, each of which reads the one before. */
const names = (first: string, count: number, toQuery: (before: string) => string): string =>
  `with a0 as (${first}), ${list(count, (n) => `a${n + 1} as (${toQuery(`a${n}`)})`)}`

/** Each name of WITH reads the one before it twice or more, so that inlining doubles the statement. */
const DOUBLING: Record<string, Bomb> = {
  'doubled by cross joins': (n) =>
    `${names('select 1 as x', n, (a) => `select l.x from ${a} l cross join ${a} r`)} select count() from a${n}`,
  'doubled by joins': (n) =>
    `${names('select uuid as x from events', n, (a) => `select l.x from ${a} l join ${a} r on l.x = r.x`)} select count() from a${n}`,
  'doubled by left joins': (n) =>
    `${names('select uuid as x from events', n, (a) => `select l.x from ${a} l left join ${a} r using (x)`)} select count() from a${n}`,
  'doubled by UNION ALL': (n) =>
    `${names('select 1 as x', n, (a) => `select x from ${a} union all select x from ${a}`)} select count() from a${n}`,
  'doubled by UNION': (n) =>
    `${names('select event as x from events', n, (a) => `select x from ${a} union select x from ${a}`)} select count() from a${n}`,
  'doubled by EXCEPT': (n) =>
    `${names('select event as x from events', n, (a) => `select x from ${a} except select x from ${a}`)} select count() from a${n}`,
  'doubled by INTERSECT': (n) =>
    `${names('select event as x from events', n, (a) => `select x from ${a} intersect select x from ${a}`)} select count() from a${n}`,
  'doubled by values': (n) =>
    `${names('select count() as x from events', n, (a) => `select (select max(x) from ${a}) + (select min(x) from ${a}) as x`)} select x from a${n}`,
  'doubled by IN': (n) =>
    `${names('select event as x from events', n, (a) => `select x from ${a} where x in (select x from ${a})`)} select count() from a${n}`,
  'doubled by EXISTS': (n) =>
    `${names('select event as x from events', n, (a) => `select x from ${a} o where exists (select 1 from ${a} i where i.x = o.x)`)} select count() from a${n}`,
  'doubled inside subqueries': (n) =>
    `${names('select 1 as x', n, (a) => `with b as (select * from ${a}) select l.x from b l cross join (select * from b) r`)} select count() from a${n}`,
  'tripled by UNION ALL': (n) =>
    `${names('select 1 as x', n, (a) => `select x from ${a} union all select x from ${a} union all select x from ${a}`)} select count() from a${n}`,
  'times ten by UNION ALL': (n) =>
    `${names('select 1 as x', n, (a) => list(10, () => `select x from ${a}`, ' union all '))} select count() from a${n}`,
  'Fibonacci by UNION ALL': (n) =>
    `with a0 as (select 1 as x), a1 as (select 2 as x), ${list(n, (i) => `a${i + 2} as (select x from a${i} union all select x from a${i + 1})`)} select count() from a${n + 1}`,
  'doubled events with columns': (n) =>
    `${names('select * from events', n, (a) => `select * from ${a} union all select * from ${a}`)} select count() from a${n}`,
}

const MANY: Record<string, Bomb> = {
  'names that are read once': (n) =>
    `${names('select event as x from events', n, (a) => `select x from ${a}`)} select count() from a${n}`,
  'groups of groups': (n) =>
    `${names('select event as x from events', n, (a) => `select x, count() as c from ${a} group by x`)} select count() from a${n}`,
  'windows of windows': (n) =>
    `${names('select event as x from events', n, (a) => `select x, row_number() over (order by x) as r from ${a}`)} select count() from a${n}`,
  'one name read often by UNION ALL': (n) =>
    `with a as (select event as x from events) select count() from (${list(n, () => 'select x from a', ' union all ')})`,
  'one name cross joined': (n) =>
    `with a as (select 1 as x) select count() from ${list(n, (i) => `a t${i}`, ' cross join ')}`,
  'one name joined': (n) =>
    `with a as (select uuid as x from events) select count() from a t0 ${list(n, (i) => `join a t${i + 1} on t${i + 1}.x = t${i}.x`, ' ')}`,
  'a wide name read often': (n) =>
    `with a as (select ${list(60, (i) => `event as c${i}`)} from events) ${list(n, () => 'select * from a', ' union all ')}`,
  'events joined in a chain': (n) =>
    `select count() from events t0 ${list(n, (i) => `join events t${i + 1} on t${i + 1}.uuid = t${i}.uuid`, ' ')}`,
  'events joined in a star': (n) =>
    `select count() from events t0 ${list(n, (i) => `join events t${i + 1} on t${i + 1}.uuid = t0.uuid`, ' ')}`,
  'events joined in a clique': (n) =>
    `select count() from events t0 ${list(n, (i) => `join events t${i + 1} on ${list(Math.min(i + 1, 12), (j) => `t${i + 1}.uuid = t${i - j}.uuid`, ' and ')}`, ' ')}`,
  'events joined by several columns': (n) =>
    `select count() from events t0 ${list(n, (i) => `join events t${i + 1} using (uuid, event, distinct_id, timestamp)`, ' ')}`,
  'events left joined': (n) =>
    `select count() from events t0 ${list(n, (i) => `left join events t${i + 1} on t${i + 1}.uuid = t${i}.uuid`, ' ')}`,
  'events left and right joined': (n) =>
    `select count() from events t0 ${list(n, (i) => `${i % 2 ? 'left' : 'right'} join events t${i + 1} on t${i + 1}.uuid = t${i}.uuid`, ' ')}`,
  'events cross joined': (n) =>
    `select count() from ${list(n, (i) => `events t${i}`, ' cross join ')} where ${list(n - 1, (i) => `t${i}.uuid = t${i + 1}.uuid`, ' and ') || 'true'}`,
  'inequality joins': (n) =>
    `select count() from events t0 ${list(n, (i) => `join events t${i + 1} on t${i + 1}.timestamp < t${i}.timestamp`, ' ')}`,
  'persons joined': (n) =>
    `select count() from persons t0 ${list(n, (i) => `join persons t${i + 1} on t${i + 1}.id = t${i}.id`, ' ')}`,
  'ids of persons joined': (n) =>
    `select count() from person_distinct_ids t0 ${list(n, (i) => `join person_distinct_ids t${i + 1} on t${i + 1}.distinct_id = t${i}.distinct_id`, ' ')}`,
  'persons of events joined': (n) =>
    `select count() from events t0 ${list(n, (i) => `join events t${i + 1} on t${i + 1}.person_id = t${i}.person_id`, ' ')}`,
  'subqueries joined': (n) =>
    `select count() from (select uuid from events) t0 ${list(n, (i) => `join (select uuid from events where event = 'e${i}') t${i + 1} using (uuid)`, ' ')}`,
  'groups joined': (n) =>
    `select count() from (select event, count() as c from events group by event) t0 ${list(n, (i) => `join (select event, count() as c from events group by event) t${i + 1} on t${i + 1}.event = t${i}.event`, ' ')}`,
  'many UNION ALL': (n) => list(n, (i) => `select ${i} as x`, ' union all '),
  'many UNION': (n) => list(n, (i) => `select ${i} as x`, ' union '),
  'many EXCEPT': (n) => list(n, (i) => `select ${i} as x`, ' except '),
  'many INTERSECT': (n) => list(n, () => 'select event from events', ' intersect '),
  'many UNION ALL of events': (n) => list(n, () => 'select * from events', ' union all '),
  'many counts in UNION ALL': (n) =>
    list(n, () => 'select event, count() from events group by event', ' union all '),
  'joins of unions': (n) =>
    `select count() from (select uuid from events union all select uuid from events) t0 ${list(n, (i) => `join (select uuid from events union all select uuid from events) t${i + 1} using (uuid)`, ' ')}`,
  'nested subqueries': (n) => `${'select * from ('.repeat(n)}select * from events${')'.repeat(n)}`,
  'nested distinct subqueries': (n) =>
    `${'select distinct * from ('.repeat(n)}select event from events${')'.repeat(n)}`,
  'nested limits': (n) =>
    `${'select * from ('.repeat(n)}select event from events${' order by 1 limit 1000000000)'.repeat(n)}`,
  'nested groups': (n) =>
    `${'select event, count() as c from ('.repeat(n)}select event, 1 as c from events${') group by event'.repeat(n)}`,
  'nested filters': (n) =>
    `${'select * from ('.repeat(n)}select event from events${") where event <> 'x'".repeat(n)}`,
  'columns through layers': (n) =>
    `${'select * from ('.repeat(20)}select ${list(n, (i) => `event as c${i}`)} from events${')'.repeat(20)}`,
  'computed columns through layers': (n) =>
    `${times(12, () => `select ${list(n, (i) => `concat(c${i}, 'x') as c${i}`)} from (`).join('')}select ${list(n, (i) => `event as c${i}`)} from events${')'.repeat(12)}`,
  'doubled expressions through layers': (n) =>
    `${times(n, () => 'select x + x as x from (').join('')}select count() as x from events${')'.repeat(n)}`,
  'converted through layers': (n) =>
    `${times(n, () => 'select toString(toFloat(x)) as x from (').join('')}select event as x from events${')'.repeat(n)}`,
  'quadrupled expressions through layers': (n) =>
    `${times(n, () => 'select x * x + x * x as x from (').join('')}select toFloat(properties.amount) as x from events${')'.repeat(n)}`,
  'conditions through layers': (n) =>
    `${times(n, () => 'select if(x > 1, x + 1, x - 1) as x from (').join('')}select toFloat(properties.amount) as x from events${')'.repeat(n)}`,
  'filtered expressions through layers': (n) =>
    `${times(n, () => 'select x + x as x from (').join('')}select count() as x from events group by event${') where x > 0'.repeat(n)}`,
}

const EXPRESSIONS: Record<string, Bomb> = {
  'a long IN': (n) => `select count() from events where event in (${list(n, (i) => `'e${i}'`)})`,
  'a long NOT IN': (n) =>
    `select count() from events where event not in (${list(n, (i) => `'e${i}'`)})`,
  'an IN of columns': (n) =>
    `select count() from events where event in (${list(n, (i) => `properties.p${i % 50}`)})`,
  'many INs': (n) =>
    `select count() from events where ${list(n, (i) => `event in ('a${i}', 'b', 'c')`, ' or ')}`,
  'a chain of AND': (n) =>
    `select count() from events where ${list(n, (i) => `event <> 'e${i}'`, ' and ')}`,
  'a chain of OR': (n) =>
    `select count() from events where ${list(n, (i) => `event = 'e${i}'`, ' or ')}`,
  'OR of AND': (n) =>
    `select count() from events where ${list(n, (i) => `(event = 'a' and distinct_id = 'd${i}' and uuid = 'u${i}')`, ' or ')}`,
  'AND of OR': (n) =>
    `select count() from events where ${list(n, (i) => `(event = 'a${i}' or distinct_id = 'd${i}')`, ' and ')}`,
  'nested AND and OR': (n) =>
    `select count() from events where ${times(n, (i) => `(event = 'e${i}' ${i % 2 ? 'or' : 'and'} `).join('')}true${')'.repeat(n)}`,
  'nested NOT': (n) =>
    `select count() from events where ${'not ('.repeat(n)}event = 'x'${')'.repeat(n)}`,
  'ranges of a time': (n) =>
    `select count() from events where ${list(n, (i) => `timestamp > now() - interval '${i} day'`, ' and ')}`,
  'equalities of columns': (n) =>
    `select count() from events where ${list(n, (i) => `properties.p${i} = properties.p${i + 1}`, ' and ')}`,
  'nested CASE': (n) =>
    `select ${times(n, (i) => `case when event = 'e${i}' then ${i} else `).join('')}0${' end'.repeat(n)} from events`,
  'a long CASE': (n) =>
    `select case ${list(n, (i) => `when event = 'e${i}' then ${i}`, ' ')} else 0 end from events`,
  'nested functions': (n) => `select ${'lower('.repeat(n)}event${')'.repeat(n)} from events`,
  'nested conversions': (n) =>
    `select ${'toFloat(toString('.repeat(n)}1.5${'))'.repeat(n)} from events`,
  'nested coalesce': (n) =>
    `select ${'coalesce(event, '.repeat(n)}event${')'.repeat(n)} from events`,
  'a long sum': (n) =>
    `select ${list(n, (i) => `toFloat(properties.p${i % 90})`, ' + ')} from events`,
  'constants folded': (n) => `select ${list(n, () => '2', ' * ')}`,
  'aliases of aliases': (n) =>
    `select 1 as b0, ${list(n, (i) => `b${i} + 1 as b${i + 1}`)} from events`,
  'the same column often': (n) => `select ${list(n, () => 'event')} from events`,
  'many columns': (n) => `select ${list(n, (i) => `event as c${i}`)} from events`,
  'many properties': (n) => `select ${list(n, (i) => `properties.p${i}`)} from events`,
  'many properties of persons': (n) =>
    `select ${list(n, (i) => `person.properties.p${i}`)} from events`,
  'many group keys': (n) =>
    `select ${list(n, (i) => `properties.p${i}`)}, count() from events group by ${list(n, (i) => `${i + 1}`)}`,
  'many aggregates': (n) =>
    `select ${list(n, (i) => `sum(toFloat(properties.p${i}))`)} from events`,
  'many conditional counts': (n) =>
    `select ${list(n, (i) => `countIf(event = 'e${i}')`)} from events`,
  'many distinct counts': (n) => `select ${list(n, (i) => `uniq(properties.p${i})`)} from events`,
  'many medians': (n) =>
    `select ${list(n, (i) => `median(toFloat(properties.p${i}))`)} from events group by event`,
  'many windows': (n) =>
    `select ${list(n, (i) => `row_number() over (partition by properties.p${i} order by timestamp)`)} from events`,
  'many equal windows': (n) =>
    `select ${list(n, (i) => `lag(event, ${i}) over (order by timestamp)`)} from events`,
  'windows with frames': (n) =>
    `select ${list(n, (i) => `sum(toFloat(properties.p${i})) over (order by timestamp rows between 1000000 preceding and 1000000 following)`)} from events`,
  'many sort keys': (n) =>
    `select event from events order by ${list(n, (i) => `properties.p${i}`)}`,
  'many LIKE': (n) =>
    `select count() from events where ${list(n, (i) => `event like '%a%b%${i}%'`, ' or ')}`,
  'a LIKE with many %': (n) =>
    `select count() from events where concat(event, uuid, uuid, uuid) like '${'%a'.repeat(n)}b'`,
  'a long LIKE': (n) => `select count() from events where event like '${'_'.repeat(n)}'`,
  'many regular expressions': (n) =>
    `select count() from events where ${list(n, (i) => `match(event, '(a|b|c)*${i}[a-z]{1,50}')`, ' or ')}`,
  'repeated regular expressions': (n) =>
    `select count() from events where ${list(n, (i) => `match(event, '[a-z]{1,200}${i}x{500}')`, ' or ')}`,
  'nested repetitions': (n) =>
    `select count() from events where match(concat(event, uuid), '${'('.repeat(n)}a${'{1,9})'.repeat(n)}')`,
  'nested stars': (n) =>
    `select count() from events where match(concat(uuid, uuid), '${'('.repeat(n)}[0-9a-f-]${'+)*'.repeat(n)}z$')`,
  'a large class of letters': (n) =>
    `select count() from events where match(event, '[${list(n, (i) => String.fromCodePoint(0x4e00 + 2 * i), '')}]{1,100}x')`,
  'a regular expression with many branches': (n) =>
    `select count() from events where match(event, '${list(n, (i) => `a*${i}b*`, '|')}')`,
  'long concatenations': (n) =>
    `select ${list(n, (i) => `concat(${list(40, () => 'uuid')}) as c${i}`)} from events`,
  'concatenations of concatenations': (n) =>
    `${times(4, () => `select ${list(n, (i) => `concat(c${i}, c${i}, c${i}, c${i}, c${i}) as c${i}`)} from (`).join('')}select ${list(n, (i) => `uuid as c${i}`)} from events${')'.repeat(4)}`,
  'a long text': (n) => `select '${'x'.repeat(n)}' from events`,
  'a long text in groups': (n) =>
    `select concat(event, '${'x'.repeat(n)}') as x, count() from events group by x`,
  'long sort keys': (n) =>
    `select event from events order by ${list(n, (i) => `concat(${list(30, () => 'uuid')}, '${i}')`)}`,
}

const SUBQUERIES: Record<string, Bomb> = {
  'many values of subqueries': (n) =>
    `select ${list(n, () => '(select count() from events)', ' + ')}`,
  'many IN subqueries': (n) =>
    `select count() from events where ${list(n, (i) => `event in (select event from events where uuid > '${i}')`, ' or ')}`,
  'many EXISTS': (n) =>
    `select count() from events where ${list(n, (i) => `exists (select 1 from events where event = '${i}')`, ' and ')}`,
  'many correlated EXISTS': (n) =>
    `select count() from events o where ${list(n, (i) => `exists (select 1 from events i where i.uuid = o.uuid and i.event <> '${i}')`, ' and ')}`,
  'many correlated EXISTS in OR': (n) =>
    `select count() from events o where ${list(n, (i) => `exists (select 1 from events i where i.uuid = o.uuid and i.event <> '${i}')`, ' or ')}`,
  'many correlated values': (n) =>
    `select ${list(n, (i) => `(select count() from events i where i.uuid = o.uuid and i.event <> '${i}')`, ' + ')} from events o`,
  'many correlated inequalities': (n) =>
    `select ${list(n, (i) => `(select count() from events i where i.timestamp < o.timestamp and i.event <> '${i}')`, ' + ')} from events o`,
  'nested IN': (n) =>
    `select count() from events where event in (${'select event from events where event in ('.repeat(n)}'x'${')'.repeat(n + 1)}`,
  'nested correlated EXISTS': (n) =>
    `select count() from events e0 where ${times(n, (i) => `exists (select 1 from events e${i + 1} where e${i + 1}.uuid = e${i}.uuid and `).join('')}true${')'.repeat(n)}`,
  'EXISTS correlated with all': (n) =>
    `select count() from events e0 where ${times(n, (i) => `exists (select 1 from events e${i + 1} where ${list(i + 1, (j) => `e${i + 1}.uuid = e${j}.uuid`, ' and ')} and `).join('')}true${')'.repeat(n)}`,
  'nested correlated values': (n) =>
    `select ${'(select count() + '.repeat(n)}0${times(n, (i) => ` from events e${n - i} where e${n - i}.uuid = e${n - i - 1}.uuid)`).join('')} from events e0`,
  'values correlated with the outermost': (n) =>
    `select ${times(n, () => '(select max(toFloat(properties.amount) + ').join('')}0${times(n, (i) => `) from events e${n - i} where e${n - i}.uuid = e0.uuid)`).join('')} from events e0`,
  'correlated joins': (n) =>
    `select (select count() from ${list(n, (i) => `events i${i}`, ' cross join ')} where ${list(n, (i) => `i${i}.uuid = o.uuid`, ' and ')}) from events o`,
  'correlated unions': (n) =>
    `select (select count() from events i where i.uuid = o.uuid and i.event in (${list(n, () => 'select event from events', ' union all ')})) from events o`,
  'correlated limits': (n) =>
    `select ${list(n, (i) => `(select event from events i where i.uuid = o.uuid order by timestamp limit 1 offset ${i})`)} from events o`,
  'conditions of subqueries': (n) =>
    `select ${times(n, () => 'if((select count() from events) > 0, ').join('')}1${', 0)'.repeat(n)}`,
}

/** A table of four rows: joined 18 times with itself, it has 69 billion. */
const FOUR = `t as (${list(4, (i) => `select ${i + 1} as x`, ' union all ')})`

/** Statements that are planned quickly and run until they are stopped. */
export const ENDLESS: Readonly<Record<string, Bomb>> = {
  'rows doubled by cross joins': (n) =>
    `with ${FOUR} select count() from ${list(n, (i) => `t t${i}`, ' cross join ')}`,
  'rows doubled and sorted': (n) =>
    `with ${FOUR} select ${list(Math.min(n, 30), (i) => `t${i}.x as c${i}`)} from ${list(n, (i) => `t t${i}`, ' cross join ')} order by ${list(Math.min(n, 30), (i) => `c${i} desc`)} limit 10`,
  'rows doubled and grouped': (n) =>
    `with ${FOUR} select count() from (select ${list(Math.min(n, 30), (i) => `t${i}.x as c${i}`)} from ${list(n, (i) => `t t${i}`, ' cross join ')} group by all)`,
  'rows doubled and numbered': (n) =>
    `with ${FOUR} select max(r) from (select row_number() over (order by t0.x) as r from ${list(n, (i) => `t t${i}`, ' cross join ')})`,
  'rows doubled and skipped': (n) =>
    `with ${FOUR} select t0.x from ${list(n, (i) => `t t${i}`, ' cross join ')} limit 1 offset 1000000000`,
  'rows doubled and concatenated': (n) =>
    `with t as (select concat('${'x'.repeat(9000)}', event) as x from events limit 2) select max(length(concat(${list(Math.min(n, 30), (i) => `t${i}.x`)}))) from ${list(n, (i) => `t t${i}`, ' cross join ')}`,
  'rows doubled and counted once': (n) =>
    `with ${FOUR} select count(distinct concat(${list(Math.min(n, 30), (i) => `t${i}.x`)})) from ${list(n, (i) => `t t${i}`, ' cross join ')}`,
  'rows doubled with a median': (n) =>
    `with ${FOUR} select median(${list(n, (i) => `t${i}.x`, ' + ')}) from ${list(n, (i) => `t t${i}`, ' cross join ')}`,
  'rows doubled in a window': (n) =>
    `with ${FOUR} select max(s) from (select sum(t0.x) over (order by ${list(Math.min(n, 30), (i) => `t${i}.x`)} rows between 1000000 preceding and 1000000 following) as s from ${list(n, (i) => `t t${i}`, ' cross join ')})`,
  'rows doubled and matched': (n) =>
    `with ${FOUR} select count() from ${list(n, (i) => `t t${i}`, ' cross join ')} where match(concat(${list(Math.min(n, 30), (i) => `t${i}.x`)}), '(1|2|12|21)*3')`,
  'rows doubled and formatted': (n) =>
    `with ${FOUR} select max(toString((${list(n, (i) => `t${i}.x`, ' + ')}) / 7)) from ${list(n, (i) => `t t${i}`, ' cross join ')}`,
  'large results': (n) =>
    `with ${FOUR} select ${list(n, (i) => `concat('${i}', '${'x'.repeat(50)}', t0.x) as c${i}`)} from ${list(14, (i) => `t t${i}`, ' cross join ')} limit 10000`,
  'large texts in results': (n) =>
    `with ${FOUR}, w as (select concat(${list(40, () => `'${'x'.repeat(100)}'`)}) as y), v as (select concat(y, y, y) as z from w) select ${list(n, (i) => `concat(z, '${i}') as c${i}`)} from v cross join ${list(14, (i) => `t t${i}`, ' cross join ')} limit 10000`,
}

export const BOMBS: Readonly<Record<string, Bomb>> = {
  ...DOUBLING,
  ...MANY,
  ...EXPRESSIONS,
  ...SUBQUERIES,
  ...ENDLESS,
}
