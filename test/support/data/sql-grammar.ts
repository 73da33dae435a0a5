import fc from 'fast-check'

type Text = fc.Arbitrary<string>

const optional = (text: Text, prefix: string): Text =>
  fc.option(
    text.map((part) => ` ${prefix} ${part}`),
    { nil: '' },
  )

/** Generates selects over `events`, mostly valid ones, because a query that is refused at once proves little. */
export const select: Text = fc.letrec<Record<string, string>>((tie) => {
  const [text, number, time, condition, aggregate, value, rows] = [
    'text',
    'number',
    'time',
    'condition',
    'aggregate',
    'value',
    'rows',
  ].map((name) => tie(name)) as [Text, Text, Text, Text, Text, Text, Text]

  const call = (names: readonly string[], of: Text): Text =>
    fc.tuple(fc.constantFrom(...names), of).map(([name, inner]) => `${name}(${inner})`)
  const between = (left: Text, operators: readonly string[], right: Text): Text =>
    fc.tuple(left, fc.constantFrom(...operators), right).map((parts) => `(${parts.join(' ')})`)
  const choice = (of: Text): Text =>
    fc.tuple(condition, of, of).map(([when, a, b]) => `if(${when}, ${a}, ${b})`)
  const any = (depth: string, simple: Text, ...more: Text[]): Text =>
    fc.oneof(
      { maxDepth: 3, depthIdentifier: depth },
      { weight: 3, arbitrary: simple },
      ...more.map((arbitrary) => ({ weight: 1, arbitrary })),
    )
  const compared = ['=', '<>', '<', '>=', 'is distinct from']

  const plain = fc
    .tuple(
      fc.constantFrom('', 'distinct '),
      fc.array(
        fc.oneof(value, fc.constantFrom('e.*', 'event as x', 'rank() over (order by event)')),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      rows,
      optional(condition, 'where'),
      optional(fc.constantFrom('1', '1 desc', '1 nulls first'), 'order by'),
    )
    .map(
      ([distinct, items, from, where, order]) =>
        `select ${distinct}${items.join(', ')} from ${from}${where}${order}`,
    )
  const grouped = fc
    .tuple(
      value,
      fc.array(aggregate, { maxLength: 2 }),
      rows,
      optional(condition, 'where'),
      optional(between(aggregate, compared, number), 'having'),
    )
    .map(
      ([key, items, from, where, having]) =>
        `select ${[`${key} as k`, ...items].join(', ')} from ${from}${where} group by k${having} order by k`,
    )
  const total = fc
    .tuple(aggregate, rows, optional(condition, 'where'))
    .map(([item, from, where]) => `select ${item} as k from ${from}${where}`)
  const united = fc
    .tuple(text, condition, text)
    .map(
      ([a, where, b]) =>
        `select ${a} as k from events e where ${where} union all select ${b} from events e`,
    )
  const named = fc
    .tuple(grouped, condition)
    .map(
      ([inner, where]) =>
        `with w as (${inner}), events as (select * from events where true) select * from w, events e where ${where}`,
    )

  return {
    text: any(
      'expression',
      fc.constantFrom(
        'event',
        'e.distinct_id',
        'person_id',
        'uuid',
        'properties.plan',
        'e.properties.$browser',
        'person.properties.plan',
        "properties['amount']",
        "'bought'",
        "''",
        'null',
      ),
      call(['lower', 'upper', 'trim'], text),
      call(['toString'], fc.oneof(number, time, condition)),
      between(text, ['||'], text),
      choice(text),
    ),
    number: any(
      'expression',
      fc.constantFrom(
        '0',
        '1',
        '-3',
        '2.5',
        '1e3',
        'toFloat(properties.amount)',
        'length(event)',
        "toInt('7.9')",
      ),
      call(['round', 'abs', 'floor', 'toInt', 'toFloat', 'sign'], number),
      between(number, ['+', '-', '*', '/', '//'], number),
      total.map((inner) => `(${inner})`),
      choice(number),
    ),
    time: any(
      'expression',
      fc.constantFrom('timestamp', 'e.timestamp', 'now()', 'today()'),
      call(['toDate', 'toStartOfDay', 'toStartOfHour', 'toStartOfWeek', 'toStartOfMonth'], time),
      time.map((inner) => `(${inner} - interval '1 day')`),
    ),
    condition: any(
      'expression',
      fc.constantFrom(
        'true',
        "event = 'bought'",
        'properties.amount > 9',
        "timestamp > '2026-03-20'",
      ),
      between(text, compared, text),
      between(number, compared, number),
      between(time, compared, time),
      between(condition, ['and', 'or'], condition),
      text.map((inner) => `(${inner} in ('bought', 'left', 'pro'))`),
      fc.tuple(text, united).map(([inner, among]) => `(${inner} in (${among}))`),
      rows.map((from) => `exists (select 1 from ${from})`),
      value.map((inner) => `((${inner}) is null)`),
    ),
    aggregate: fc.oneof(
      fc.constant('count()'),
      call(['uniq', 'count'], value),
      call(['sum', 'avg', 'median', 'max'], number),
      call(['min', 'max'], fc.oneof(text, time)),
      call(['countIf'], condition),
    ),
    value: fc.oneof(text, number, time, condition),
    rows: any(
      'rows',
      fc.constantFrom('events e', 'events e', 'events'),
      fc
        .tuple(value, condition)
        .map(([x, where]) => `(select *, ${x} as x from events e where ${where}) e`),
      fc
        .tuple(fc.constantFrom('join', 'left join', 'right join'), grouped)
        .map(([join, inner]) => `events e ${join} (${inner}) f on true`),
      fc.constant('events e join events f using (uuid, event, distinct_id, person_id, timestamp)'),
      fc.constant(
        'events e left join (select id, created_at from persons) p on p.id = e.person_id',
      ),
      fc.constant('events e join (select person_id as of from person_distinct_ids) i on true'),
    ),
    query: fc.oneof(plain, plain, grouped, grouped, total, united, named),
  }
}).query as Text
