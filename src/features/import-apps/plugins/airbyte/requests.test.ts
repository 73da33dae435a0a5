import { describe, expect, it } from 'vitest'
import { type Fields, translateOne } from '../../../../../test/support/data/airbyte.ts'

describe('authenticators', () => {
  const oauth = {
    type: 'OAuthAuthenticator',
    token_refresh_endpoint: 'https://sign-in.example.com/token',
    client_id: "{{ config['credentials']['client_id'] }}",
    client_secret: '{{ config.credentials.client_secret }}',
  }
  const option = (inject_into: string) => ({
    type: 'RequestOption',
    inject_into,
    field_name: 'key',
  })
  const token = "{{ config['api_key'] }}"

  it.each<[Fields, Fields | undefined]>([
    [{ type: 'NoAuth' }, undefined],
    [{ type: 'BearerAuthenticator', api_token: token }, { bearer: 'api_key' }],
    [
      { type: 'BasicHttpAuthenticator', username: '{{ config.shop }}', password: token },
      { basic: { user: 'shop', password: 'api_key' } },
    ],
    [
      { type: 'BasicHttpAuthenticator', username: token, password: '' },
      { basic: { user: 'api_key' } },
    ],
    [
      { type: 'ApiKeyAuthenticator', header: 'X-Key', api_token: token },
      { header: { name: 'X-Key', setting: 'api_key' } },
    ],
    [
      { type: 'ApiKeyAuthenticator', inject_into: option('header'), api_token: `Token ${token}` },
      { header: { name: 'key', setting: 'api_key', prefix: 'Token ' } },
    ],
    [
      { type: 'ApiKeyAuthenticator', header: 'Authorization', api_token: `Bearer ${token}` },
      { bearer: 'api_key' },
    ],
    [
      { type: 'ApiKeyAuthenticator', inject_into: option('request_parameter'), api_token: token },
      { query: { name: 'key', setting: 'api_key' } },
    ],
    [
      {
        ...oauth,
        refresh_token: '{{ config.credentials.refresh_token }}',
        scopes: ['read', 'list'],
        refresh_request_body: { audience: 'api' },
      },
      {
        oauth: {
          token_url: 'https://sign-in.example.com/token',
          client_id: 'credentials_client_id',
          client_secret: 'credentials_client_secret',
          refresh_token: 'credentials_refresh_token',
          parameters: { audience: 'api', scope: 'read list' },
        },
      },
    ],
    [
      { ...oauth, grant_type: 'client_credentials' },
      {
        oauth: {
          token_url: 'https://sign-in.example.com/token',
          client_id: 'credentials_client_id',
          client_secret: 'credentials_client_secret',
        },
      },
    ],
  ])('%j', async (authenticator, auth) => {
    const { connector } = await translateOne({ requester: { authenticator } })

    expect(connector.auth).toEqual(auth)
  })
})

describe('paginators', () => {
  const option = (field_name: string) => ({
    type: 'RequestOption',
    inject_into: 'request_parameter',
    field_name,
  })
  const size = { page_size_option: option('limit') }
  const cursor = (fields: Fields) => ({ type: 'CursorPagination', page_size: 50, ...fields })

  it.each<[Fields, Fields, Fields | undefined]>([
    [
      {
        pagination_strategy: { type: 'OffsetIncrement', page_size: 50 },
        ...size,
        page_token_option: option('skip'),
      },
      { offset: { parameter: 'skip', limit_parameter: 'limit', limit: 50 } },
      undefined,
    ],
    [
      {
        pagination_strategy: { type: 'OffsetIncrement', page_size: '50' },
        page_token_option: option('skip'),
      },
      { offset: { parameter: 'skip', limit: 50 } },
      undefined,
    ],
    [
      {
        pagination_strategy: { type: 'PageIncrement', page_size: 50, start_from_page: 1 },
        ...size,
        page_token_option: option('page'),
      },
      { page: { parameter: 'page', first: 1 } },
      { limit: '50' },
    ],
    [
      { pagination_strategy: { type: 'PageIncrement' }, page_token_option: option('page') },
      { page: { parameter: 'page', first: 0 } },
      undefined,
    ],
    [
      {
        pagination_strategy: cursor({
          cursor_value: "{{ response['meta']['next'] }}",
          stop_condition: '{{ not response.meta.next }}',
        }),
        page_token_option: option('after'),
        ...size,
      },
      { cursor: { path: 'meta.next', parameter: 'after' } },
      { limit: '50' },
    ],
    [
      {
        pagination_strategy: cursor({
          cursor_value: "{{ last_record['id'] }}",
          stop_condition: "{{ not response['has_more'] }}",
        }),
        page_token_option: option('after'),
      },
      { cursor: { path: 'data.-1.id', parameter: 'after', more: 'has_more' } },
      undefined,
    ],
    [
      {
        pagination_strategy: cursor({
          cursor_value: '{{ response.cursor }}',
          stop_condition: '{{ response.more == false }}',
        }),
        page_token_option: option('after'),
      },
      { cursor: { path: 'cursor', parameter: 'after', more: 'more' } },
      undefined,
    ],
    [
      {
        pagination_strategy: cursor({
          cursor_value: '{{ response.next }}',
          stop_condition: '{{ response.next is none }}',
        }),
        page_token_option: { type: 'RequestPath' },
      },
      { cursor: { path: 'next' } },
      undefined,
    ],
    [
      {
        pagination_strategy: cursor({ cursor_value: "{{ headers['link']['next']['url'] }}" }),
        page_token_option: { type: 'RequestPath' },
      },
      { link: true },
      undefined,
    ],
  ])('%j', async (paginator, paginate, query) => {
    const { stream } = await translateOne({
      retriever: { paginator: { type: 'DefaultPaginator', ...paginator } },
    })

    expect([stream.paginate, stream.query]).toEqual([paginate, query])
  })

  it('none', async () => {
    const { stream } = await translateOne({ retriever: { paginator: { type: 'NoPagination' } } })

    expect(stream.paginate).toBeUndefined()
  })
})

describe('error handlers', () => {
  it('become rules', async () => {
    const filters = [
      { type: 'HttpResponseFilter', action: 'IGNORE', http_codes: [404, 403] },
      { action: 'RETRY', http_codes: [429, 503, 420] },
      { action: 'FAIL', error_message_contains: 'expired', error_message: 'Check the key.' },
    ]
    const { stream } = await translateOne({
      requester: {
        error_handler: {
          type: 'CompositeErrorHandler',
          error_handlers: [
            {
              type: 'DefaultErrorHandler',
              max_retries: 7,
              backoff_strategies: [{ type: 'WaitTimeFromHeader', header: 'Retry-After' }],
              response_filters: filters,
            },
          ],
        },
      },
    })

    expect(stream.errors).toEqual([
      { status: 404, action: 'ignore' },
      { status: 403, action: 'ignore' },
      { status: 420, action: 'retry' },
      { text: 'expired', action: 'fail', message: 'Check the key.' },
    ])
  })
})
