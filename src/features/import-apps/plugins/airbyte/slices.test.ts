import { describe, expect, it } from 'vitest'
import {
  type Fields,
  manifestOf,
  streamOf,
  translate,
  translateOne,
} from '../../../../../test/support/data/airbyte.ts'

describe('incremental streams', () => {
  const cursor = {
    type: 'DatetimeBasedCursor',
    cursor_field: 'updated_at',
    datetime_format: '%Y-%m-%dT%H:%M:%SZ',
    start_datetime: { type: 'MinMaxDatetime', datetime: "{{ config['start_date'] }}" },
    end_datetime: { type: 'MinMaxDatetime', datetime: '{{ now_utc().strftime("%Y-%m-%d") }}' },
    start_time_option: { inject_into: 'request_parameter', field_name: 'since' },
    end_time_option: { inject_into: 'request_parameter', field_name: 'until' },
    step: 'P1M',
    cursor_granularity: 'PT1S',
    lookback_window: 'P1DT1H',
  }
  const read = {
    field: 'updated_at',
    parameter: 'since',
    to_parameter: 'until',
    format: '%Y-%m-%dT%H:%M:%SZ',
    start: '{{start_date}}',
    step: 2_592_000,
    lookback: 90_000,
  }
  const { to_parameter: _, step: __, ...open } = read

  it.each<[string, Fields, Fields | undefined]>([
    ['in steps', {}, read],
    ['without an end', { end_time_option: undefined }, open],
    ['by date', { datetime_format: '%Y-%m-%d' }, { ...read, format: 'date' }],
    ['by seconds', { datetime_format: '%s' }, { ...read, format: 'seconds' }],
    ['from a date', { start_datetime: '2024-05-01' }, { ...read, start: '2024-05-01' }],
    [
      'from a date in another format',
      { start_datetime: "{{ format_datetime(config['start_date'], '%Y-%m-%d') }}" },
      read,
    ],
    ['without a parameter', { start_time_option: undefined }, undefined],
  ])('%s', async (_name, changes, incremental) => {
    const { stream } = await translateOne({
      stream: { incremental_sync: { ...cursor, ...changes } },
    })

    expect(stream.incremental).toEqual(incremental)
    expect((stream.to as Fields).time).toBe(incremental && 'updated_at')
  })

  it('whose parameters name the times of a slice', async () => {
    const { stream } = await translateOne({
      stream: {
        incremental_sync: { ...cursor, start_time_option: undefined, end_time_option: undefined },
      },
      requester: {
        request_parameters: {
          from: "{{ stream_interval['start_time'] }}",
          to: '{{ stream_slice.end_time }}',
        },
      },
    })

    expect([stream.incremental, stream.query]).toEqual([
      { ...read, parameter: 'from', to_parameter: 'to' },
      undefined,
    ])
  })
})

describe('partitions', () => {
  const list = (more: Fields) => ({
    type: 'ListPartitionRouter',
    cursor_field: 'region',
    values: ['eu', 'us'],
    ...more,
  })
  const shops = streamOf({ stream: { name: 'shops' }, requester: { path: 'shops' } })
  const below = (more: Fields = {}) => ({
    type: 'SubstreamPartitionRouter',
    parent_stream_configs: [
      {
        type: 'ParentStreamConfig',
        stream: shops,
        parent_key: 'id',
        partition_field: 'shop_id',
        ...more,
      },
    ],
  })
  const path = { path: "/{{ stream_partition['region'] }}/orders" }

  it('are values of a list or a setting, in the path or a parameter', async () => {
    const option = { inject_into: 'request_parameter', field_name: 'r' }
    const first = await translateOne({
      retriever: { partition_router: list({ request_option: option }) },
      requester: path,
    })
    const second = await translateOne({
      retriever: { partition_router: [list({ values: '{{ config.regions }}' })] },
      requester: { path: '/{{ stream_slice.region }}' },
    })

    expect(first.stream).toMatchObject({
      partitions: [{ name: 'region', values: ['eu', 'us'] }],
      path: '/v1/{{partition.region}}/orders',
      query: { r: '{{partition.region}}' },
    })
    expect(second.stream).toMatchObject({
      partitions: [{ name: 'region', setting: 'regions' }],
      path: '/v1/{{partition.region}}',
    })
    expect(second.plugin.config).toMatchObject([{ key: 'regions', default: 'eu,us' }])
  })

  it('are the records of a stream above, which is imported only if it is a stream of its own', async () => {
    const parts = {
      retriever: { partition_router: below() },
      requester: { path: 'shops/{{ stream_partition.shop_id }}/orders' },
    }
    const alone = await translateOne(parts)
    const both = await translate(manifestOf([streamOf(parts), shops]))

    expect(alone.stream).toMatchObject({
      parent: { stream: 'shops' },
      path: '/v1/shops/{{shops.id}}/orders',
    })
    expect(alone.connector.streams[0]).not.toHaveProperty('to')
    expect(both.connector.streams).toMatchObject([
      { name: 'shops', to: { event: 'shops' } },
      { name: 'orders' },
    ])
  })

  it('can be both, and a parameter of the request', async () => {
    const option = { inject_into: 'request_parameter', field_name: 'shop' }
    const { stream } = await translateOne({
      retriever: { partition_router: [below({ request_option: option }), list({})] },
      requester: path,
    })

    expect(stream).toMatchObject({
      parent: { stream: 'shops' },
      partitions: [{ name: 'region' }],
      query: { shop: '{{shops.id}}' },
    })
  })
})
