import { describe, expect, it } from 'vitest'
import { type Fields, translateOne } from '../../../../../test/support/data/airbyte.ts'

describe('records', () => {
  it.each<[string, Fields[]]>([
    ["{{ record['state'] == 'paid' }}", [{ path: 'state', is: 'paid' }]],
    ['{{ record.state != "open" }}', [{ path: 'state', is_not: 'open' }]],
    [
      "{{ record.get('total') > 5 and record.n <= 2.5 }}",
      [
        { path: 'total', more_than: 5 },
        { path: 'n', at_most: 2.5 },
      ],
    ],
    ["{{ config['start_date'] < record['at'] }}", [{ path: 'at', more_than: '{{start_date}}' }]],
    ["{{ record.a.b in ['x', 'y'] }}", [{ path: 'a.b', is: ['x', 'y'] }]],
    ["{{ record.a not in ('x', 'and y') }}", [{ path: 'a', is_not: ['x', 'and y'] }]],
    ['{{ record.a is defined }}', [{ path: 'a', empty: false }]],
    ['{{ record.a is not none }}', [{ path: 'a', empty: false }]],
    ['{{ record.a }}', [{ path: 'a', truthy: true }]],
    ['{{ not (record.a) }}', [{ path: 'a', truthy: false }]],
    ['{{ record.a == true }}', [{ path: 'a', is: true }]],
  ])('are filtered by %s', async (condition, filter) => {
    const { stream } = await translateOne({
      selector: { record_filter: { type: 'RecordFilter', condition } },
    })

    expect(stream.filter).toEqual(filter)
  })

  it('are transformed', async () => {
    const { stream } = await translateOne({
      stream: {
        transformations: [
          {
            type: 'AddFields',
            fields: [
              { type: 'AddedFieldDefinition', path: ['shop'], value: '{{ config.shop }}' },
              { path: ['total'], value: "{{ record['sums']['total'] }}" },
            ],
          },
          { type: 'RemoveFields', field_pointers: [['note'], ['sums']] },
        ],
      },
    })

    expect(stream.transform).toEqual([
      { add: { shop: '{{shop}}' } },
      { copy: { total: 'sums.total' } },
      { remove: ['note', 'sums'] },
    ])
  })

  it('are events of the person and at the time that their schema names', async () => {
    const properties = { id: {}, customer_id: {}, email: {}, created_at: {}, updated_at: {} }
    const { stream } = await translateOne({
      stream: {
        primary_key: [['id'], ['line', 'n']],
        schema_loader: { type: 'InlineSchemaLoader', schema: { type: 'object', properties } },
      },
    })

    expect(stream).toMatchObject({
      primary_key: ['id', 'line.n'],
      to: { person: ['email', 'customer_id', 'id', 'line.n'], time: 'created_at' },
    })
  })
})
