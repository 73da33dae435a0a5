import { describe, expect, it } from 'vitest'
import {
  manifestOf,
  streamOf,
  translate,
  translateOne,
} from '../../../../../test/support/data/airbyte.ts'

describe('a manifest', () => {
  it('becomes an app with settings and streams', async () => {
    const { connector, plugin } = await translateOne({
      requester: {
        authenticator: { type: 'BearerAuthenticator', api_token: "{{ config['api_key'] }}" },
        request_parameters: { shop: "{{ config.get('shop') }}", state: '{{ config.state }}', n: 5 },
        request_headers: { Accept: 'application/json', 'X-Shop': 'a {{ config["shop"] }}' },
      },
    })

    expect(connector).toEqual({
      base_url: 'https://api.example.com',
      auth: { bearer: 'api_key' },
      streams: [
        {
          name: 'orders',
          path: '/v1/orders',
          query: { shop: '{{shop}}', state: '{{state}}', n: '5' },
          headers: { Accept: 'application/json', 'X-Shop': 'a {{shop}}' },
          records: 'data',
          single: true,
          primary_key: 'id',
          to: { event: 'orders', person: ['id'] },
        },
      ],
    })
    expect(plugin.config).toEqual([
      { key: 'api_key', name: 'API key', type: 'string', required: true, secret: true },
      {
        ...{ key: 'shop', name: 'shop', type: 'string', required: true },
        hint: 'Your shop For example: acme',
      },
      { key: 'state', name: 'state', type: 'choice', choices: ['open', 'all'], default: 'all' },
    ])
  })

  it('is read as YAML, with references, their changes and parameters', async () => {
    const { connector } = await translate(`
version: 4.3.0
type: DeclarativeSource
definitions:
  requester: { type: HttpRequester, url_base: "https://api.example.com", http_method: GET }
  selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: ["{{ parameters['list'] }}"] } }
  base:
    type: DeclarativeStream
    retriever:
      type: SimpleRetriever
      record_selector: "#/definitions/selector"
      requester: { $ref: "#/definitions/requester", path: "/v2/{{ parameters.name }}" }
streams:
  - { $ref: "#/definitions/base", $parameters: { name: users, primary_key: uid, list: items } }
  - { $ref: "#/definitions/base", $parameters: { name: old users, list: rows } }
`)

    expect(connector.streams).toMatchObject([
      { name: 'users', path: '/v2/users', records: 'items', primary_key: 'uid' },
      { name: 'old_users', path: '/v2/old users', records: 'rows', to: { person: 'stream' } },
    ])
  })

  it.each([
    ['type: Other', 'its type is not DeclarativeSource'],
    ['a: [', 'cannot be read'],
    ['a: &a [1]\nb: *a', 'cannot be read'],
    [
      'type: DeclarativeSource\nstreams: ["#/definitions/no"]',
      'streams.0: refers to #/definitions/no, which is not there',
    ],
    [
      'type: DeclarativeSource\ndefinitions: { a: { $ref: "#/definitions/a" } }\nstreams: ["#/definitions/a"]',
      'refers to itself, or is too large',
    ],
    [
      `type: DeclarativeSource\ndefinitions: { ${Array.from({ length: 20 }, (_, n) => `a${n}: ["#/definitions/a${n + 1}", "#/definitions/a${n + 1}"]`).join(', ')}, a20: 1 }\nstreams: ["#/definitions/a0"]`,
      'refers to itself, or is too large',
    ],
    ['type: DeclarativeSource\nstreams: []', 'No stream works'],
  ])('is refused: %.60j', async (text, message) => {
    await expect(translate(text)).rejects.toThrow(message)
  })
})

it('may name the decoder of JSON wherever a decoder can be', async () => {
  const decoder = { type: 'JsonDecoder' }
  const { stream } = await translateOne({
    retriever: {
      decoder,
      paginator: {
        ...{ type: 'DefaultPaginator', decoder, page_token_option: { type: 'RequestPath' } },
        pagination_strategy: {
          ...{ type: 'CursorPagination', decoder, cursor_value: '{{ response.next }}' },
        },
      },
    },
    selector: { extractor: { type: 'DpathExtractor', field_path: ['data'], decoder } },
  })

  expect(stream).toMatchObject({ records: 'data', paginate: { cursor: { path: 'next' } } })
})

describe('the streams of a manifest', () => {
  const custom = streamOf({
    stream: { name: 'odd' },
    requester: { type: 'CustomRequester', class_name: 'source.components.Odd' },
  })
  const elsewhere = streamOf({
    stream: { name: 'files' },
    requester: { url_base: 'https://files.example.com' },
  })
  const text = manifestOf([
    streamOf({}),
    streamOf({ stream: { name: 'items' } }),
    custom,
    elsewhere,
  ])

  it('are all refused if some need Python, with those that work', async () => {
    await expect(translate(text)).rejects.toThrow(
      `Some streams cannot be translated.
  odd: streams.2.retriever.requester: CustomRequester source.components.Odd needs Python
  files: has another host or another authenticator than the other streams
These streams work: orders, items. To import them alone, add --streams orders,items.`,
    )
  })

  it('are imported if they are named', async () => {
    const { streams, leftOut, connector } = await translate(text, ['items'])

    expect([streams, Object.keys(leftOut)]).toEqual([['items'], ['odd', 'files']])
    expect(connector.streams).toHaveLength(1)
  })

  it.each([
    ['odd', 'needs Python'],
    ['none', 'there is no such stream'],
  ])('are refused if %s is named, with the reason', async (name, reason) => {
    await expect(translate(text, [name])).rejects.toThrow(
      new RegExp(
        `The stream "${name}" cannot be imported: .*${reason}.* These streams work: orders`,
      ),
    )
  })
})

it('marks the settings of the host, which guard the secrets', async () => {
  const { plugin, connector } = await translateOne({
    requester: {
      url_base: 'https://{{ config.shop }}.example.com',
      authenticator: { type: 'BearerAuthenticator', api_token: '{{ config.api_key }}' },
    },
  })

  expect(connector.base_url).toBe('https://{{shop}}.example.com')
  expect(plugin.config.map(({ key }: { key: string }) => key)).toEqual(['api_key', 'shop'])
  expect(plugin.config[1]).toMatchObject({ key: 'shop', address: true })
})
