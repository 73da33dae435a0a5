import { describe, expect, it } from 'vitest'
import {
  type Fields,
  manifestOf,
  type Parts,
  streamOf,
  translate,
} from '../../../../../test/support/data/airbyte.ts'

type Wrap = (part: Fields) => Parts

/** Components of Airbyte's published schema that have no counterpart here, by their place. */
const OTHERS: readonly (readonly [at: string, wrap: Wrap, types: readonly string[]])[] = [
  [
    'streams.0',
    (stream) => ({ stream }),
    ['ConditionalStreams', 'DynamicDeclarativeStream', 'StateDelegatingStream'],
  ],
  ['retriever', (retriever) => ({ retriever }), ['AsyncRetriever', 'CustomRetriever']],
  [
    'retriever.decoder',
    (decoder) => ({ retriever: { decoder } }),
    [
      ...['CompositeRawDecoder', 'CsvDecoder', 'CustomDecoder', 'GzipDecoder', 'IterableDecoder'],
      ...['JsonlDecoder', 'XmlDecoder', 'ZipfileDecoder'],
    ],
  ],
  [
    'retriever.paginator.decoder',
    (decoder) => ({ retriever: { paginator: { type: 'DefaultPaginator', decoder } } }),
    ['XmlDecoder'],
  ],
  ['retriever.requester', (requester) => ({ requester }), ['CustomRequester']],
  [
    'retriever.requester.authenticator',
    (authenticator) => ({ requester: { authenticator } }),
    [
      ...['CustomAuthenticator', 'JwtAuthenticator', 'LegacySessionTokenAuthenticator'],
      ...['SelectiveAuthenticator', 'SessionTokenAuthenticator'],
    ],
  ],
  [
    'retriever.requester.error_handler',
    (error_handler) => ({ requester: { error_handler } }),
    ['CustomErrorHandler'],
  ],
  [
    'retriever.requester.error_handler.backoff_strategies.0',
    (strategy) => ({ requester: { error_handler: { backoff_strategies: [strategy] } } }),
    ['CustomBackoffStrategy', 'WaitUntilTimeFromHeader'],
  ],
  [
    'retriever.paginator.pagination_strategy',
    (pagination_strategy) => ({
      retriever: {
        paginator: {
          ...{ type: 'DefaultPaginator', pagination_strategy },
          page_token_option: { inject_into: 'request_parameter', field_name: 'p' },
        },
      },
    }),
    ['CustomPaginationStrategy'],
  ],
  ['retriever.record_selector', (selector) => ({ selector }), ['CustomRecordSelector']],
  [
    'retriever.record_selector.extractor',
    (extractor) => ({ selector: { extractor } }),
    ['CustomRecordExtractor', 'ResponseToFileExtractor'],
  ],
  [
    'retriever.record_selector.record_filter',
    (record_filter) => ({ selector: { record_filter } }),
    ['CustomRecordFilter'],
  ],
  [
    'incremental_sync',
    (incremental_sync) => ({ stream: { incremental_sync } }),
    ['CustomIncrementalSync', 'IncrementingCountCursor'],
  ],
  [
    'retriever.partition_router',
    (partition_router) => ({ retriever: { partition_router } }),
    ['CustomPartitionRouter', 'GroupingPartitionRouter'],
  ],
  [
    'transformations.0',
    (transformation) => ({ stream: { transformations: [transformation] } }),
    [
      ...['CustomTransformation', 'DpathFlattenFields', 'FlattenFields', 'KeysReplace'],
      ...['KeysToLower', 'KeysToSnakeCase'],
    ],
  ],
]

describe('a component without a counterpart', () => {
  it.each(OTHERS.flatMap(([at, wrap, types]) => types.map((type) => [at, type, wrap] as const)))(
    'at %s is refused by name: %s',
    async (at, type, wrap) => {
      const failing = translate(manifestOf([streamOf(wrap({ type }))]))

      const reason = type.startsWith('Custom') ? 'needs Python' : 'is not supported'
      const place = at.startsWith('streams') ? at : `streams.0.${at}`
      await expect(failing).rejects.toThrow(`${place}: ${type} ${reason}`)
    },
  )
})

describe('what is not supported', () => {
  const paginator = (strategy: Fields, option: Fields = {}) => ({
    retriever: {
      paginator: {
        type: 'DefaultPaginator',
        pagination_strategy: strategy,
        page_token_option: { inject_into: 'request_parameter', field_name: 'p', ...option },
      },
    },
  })
  const condition = (text: string) => ({
    selector: { record_filter: { type: 'RecordFilter', condition: text } },
  })

  it.each<[string, Parts]>([
    ['retriever.requester.http_method: POST', { requester: { http_method: 'POST' } }],
    ['retriever.requester.request_body_json: is', { requester: { request_body_json: { a: 1 } } }],
    [
      'retriever.requester.request_parameters.a: "{{ now_utc() }}"',
      { requester: { request_parameters: { a: '{{ now_utc() }}' } } },
    ],
    [
      'retriever.requester.path: "{% if a %}b{% endif %}" is code',
      { requester: { path: '{% if a %}b{% endif %}' } },
    ],
    ['retriever.requester.path: names config "none"', { requester: { path: '{{ config.none }}' } }],
    [
      'retriever.requester.path: "{{ stream_partition.none }}"',
      { requester: { path: '{{ stream_partition.none }}' } },
    ],
    [
      'retriever.requester.path: the parameter "none" is missing',
      { requester: { path: '{{ parameters.none }}' } },
    ],
    [
      'retriever.requester.authenticator: JwtAuthenticator',
      { requester: { authenticator: { type: 'JwtAuthenticator' } } },
    ],
    ['retriever: AsyncRetriever', { retriever: { type: 'AsyncRetriever' } }],
    [
      'extractor.field_path: "*"',
      { selector: { extractor: { type: 'DpathExtractor', field_path: ['a', '*'] } } },
    ],
    [
      'extractor: CustomRecordExtractor a.B needs Python',
      { selector: { extractor: { type: 'CustomRecordExtractor', class_name: 'a.B' } } },
    ],
    ['record_filter.condition: "record.a or record.b"', condition('{{ record.a or record.b }}')],
    ['record_filter.condition: "record.a|length > 5"', condition('{{ record.a|length > 5 }}')],
    [
      'record_filter.condition: "record.at >= stream_state.at"',
      condition('{{ record.at >= stream_state.at }}'),
    ],
    ['transformations.0: KeysToLower', { stream: { transformations: [{ type: 'KeysToLower' }] } }],
    [
      'field_pointers.0: must be one field',
      { stream: { transformations: [{ type: 'RemoveFields', field_pointers: [['a', 'b']] }] } },
    ],
    [
      'page_token_option: inject_into "header"',
      paginator({ type: 'PageIncrement' }, { inject_into: 'header' }),
    ],
    [
      'cursor_value: "{{ response.a + 1 }}"',
      paginator({ type: 'CursorPagination', cursor_value: '{{ response.a + 1 }}' }),
    ],
    [
      'stop_condition: "{{ response.n > 5 }}"',
      paginator({
        type: 'CursorPagination',
        cursor_value: '{{ response.a }}',
        stop_condition: '{{ response.n > 5 }}',
      }),
    ],
    [
      'incremental_sync: IncrementingCountCursor',
      { stream: { incremental_sync: { type: 'IncrementingCountCursor' } } },
    ],
    [
      'http_codes: 500 is always tried again',
      {
        requester: {
          error_handler: { response_filters: [{ action: 'IGNORE', http_codes: [500] }] },
        },
      },
    ],
    [
      'partition_router: GroupingPartitionRouter',
      { retriever: { partition_router: { type: 'GroupingPartitionRouter' } } },
    ],
  ])('%s', async (message, parts) => {
    const failing = translate(manifestOf([streamOf(parts), streamOf({ stream: { name: 'ok' } })]))

    await expect(failing).rejects.toThrow(`orders: streams.0.`)
    await expect(failing).rejects.toThrow(message)
    await expect(failing).rejects.toThrow('These streams work: ok.')
  })
})
