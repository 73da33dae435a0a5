import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { compileConnector } from './connector.ts'
import { ConnectorSchema } from './connector-schema.ts'

const YAML = `
base_url: https://api.example.com
auth: { bearer: token }
streams:
  - name: orders
    path: /orders
    to: { event: order, person: email }
`
const SETTINGS = [{ key: 'token', type: 'string' as const, secret: true }]

const STREAM = '{ name: a, path: /a, to: { event: e, person: p } }'
const streamsOf = (...streams: string[]) =>
  `base_url: https://a.b\nstreams: [${streams.join(', ')}]`

describe('connector.yaml', () => {
  it('becomes the code of an app', async () => {
    const code = await compileConnector(YAML, SETTINGS)

    const module = { exports: {} }
    new Function('module', 'require', code)(module, createRequire(import.meta.url))
    expect(Object.keys(module.exports)).toEqual(['jobs', 'runEveryHour'])
  })

  it.each([
    ['', 'connector.yaml must be object.'],
    ['a: [', 'connector.yaml cannot be read: '],
    ['base_url: https://a.b', "connector.yaml must have required property 'streams'."],
    [`base_url: https://a.b\nstreams: []`, 'connector.yaml, streams must NOT have fewer than 1'],
    [`${YAML}\nextra: 1`, 'connector.yaml has an unknown key "extra".'],
    [
      'base_url: https://a.b\nstreams: [{ name: a, path: /a, to: { event: e, persn: p } }]',
      "connector.yaml, streams.0.to must have required property 'person'.",
    ],
    [
      `base_url: https://a.b\nauth: { bearer: token, query: { name: a, setting: token } }\nstreams: [${STREAM}]`,
      'connector.yaml, auth must NOT have more than 1 properties.',
    ],
    [
      `base_url: https://a.b\nstreams: [${STREAM}, ${STREAM}]`,
      'connector.yaml has two streams named "a".',
    ],
    [
      `base_url: https://{{shop}}.b\nstreams: [${STREAM}]`,
      'connector.yaml names the setting "shop", which plugin.json lacks.',
    ],
    [
      `base_url: https://a.b\nauth: { bearer: key }\nstreams: [${STREAM}]`,
      'connector.yaml names the setting "key", which plugin.json lacks.',
    ],
    [
      `base_url: https://a.b\nauth: { oauth: { token_url: https://a.b, client_id: id } }\nstreams: [${STREAM}]`,
      'connector.yaml names the setting "id", which plugin.json lacks.',
    ],
    [
      streamsOf(
        STREAM,
        '{ name: b, parent: { stream: c }, path: /b, to: { event: e, person: p } }',
      ),
      'connector.yaml, streams.1.parent names "c", which is no stream above it.',
    ],
    [
      streamsOf('{ name: b, parent: { stream: b }, path: /b, to: { event: e, person: p } }'),
      'connector.yaml, streams.0.parent names "b", which is no stream above it.',
    ],
    [
      streamsOf(STREAM, '{ name: b, path: "/b/{{a.id}}", to: { event: e, person: p } }'),
      'connector.yaml, streams.1 names {{a.id}}, but "a" is no stream above it.',
    ],
    [
      streamsOf('{ name: b, path: /b }'),
      'connector.yaml, streams.0 needs "to", or a stream below it.',
    ],
    [
      streamsOf('{ name: b, path: /b, to: { event: e, person: p }, errors: [{ action: fail }] }'),
      'connector.yaml, streams.0.errors.0 needs a status, text or path.',
    ],
    [
      streamsOf(
        '{ name: b, path: /b, to: { event: e, person: p }, transform: [{ add: { t: "{{token}}" } }] }',
      ),
      'connector.yaml adds the secret setting "token" to events.',
    ],
    [
      `base_url: ftp://a.b\nstreams: [${STREAM}]`,
      'connector.yaml, base_url must be a URL with http or https.',
    ],
    [
      `base_url: https://me:pw@a.b\nstreams: [${STREAM}]`,
      'connector.yaml, base_url must be a URL with http or https.',
    ],
    [
      `base_url: https://{{token}}.a.b/x\nstreams: [${STREAM}]`,
      'connector.yaml, base_url has its host in the setting "token", which needs "address": true in plugin.json.',
    ],
    [
      `base_url: https://a.b\nhosts: ["{{token}}.c"]\nstreams: [${STREAM}]`,
      'connector.yaml, hosts.0 has its host in the setting "token", which needs "address": true in plugin.json.',
    ],
    [
      `base_url: https://a.b\nhosts: [c.d/e]\nstreams: [${STREAM}]`,
      'connector.yaml, hosts.0 must be a host such as files.example.com.',
    ],
    [
      `base_url: https://a.b\nauth: { oauth: { token_url: a.b, client_id: token } }\nstreams: [${STREAM}]`,
      'connector.yaml, auth.oauth.token_url must be a URL with http or https.',
    ],
    [
      streamsOf('{ name: partition, path: /b, to: { event: e, person: p } }'),
      'connector.yaml, streams.0 cannot be named "partition".',
    ],
    [
      streamsOf(
        '{ name: b, path: "/{{partition.c}}", partitions: [{ name: d, values: [e] }], to: { event: e, person: p } }',
      ),
      'connector.yaml, streams.0 names {{partition.c}}, but "c" is no partition of it.',
    ],
    [
      streamsOf('{ name: b, path: /b, partitions: [{ name: d }], to: { event: e, person: p } }'),
      'connector.yaml, streams.0.partitions.0 needs either values or a setting.',
    ],
    [
      streamsOf(
        '{ name: b, path: /b, partitions: [{ name: d, setting: token }], to: { event: e, person: p } }',
      ),
      'connector.yaml takes a partition from the secret setting "token".',
    ],
    [
      streamsOf(
        '{ name: b, path: /b, incremental: { field: t, parameter: s, step: 3600 }, to: { event: e, person: p } }',
      ),
      'connector.yaml, streams.0.incremental.step needs start and to_parameter.',
    ],
    [
      streamsOf('{ name: b, path: /b, filter: [{ path: c }], to: { event: e, person: p } }'),
      'connector.yaml, streams.0.filter.0 must NOT have fewer than 2 properties.',
    ],
    ['a: &a [1]\nb: *a', 'connector.yaml cannot be read: '],
    [`a: ${'['.repeat(30_000)}`, 'connector.yaml cannot be read: '],
    ['x'.repeat(70_000), 'connector.yaml is larger than 65536 bytes.'],
  ])('refuses %.60j', async (text, message) => {
    await expect(compileConnector(text, SETTINGS)).rejects.toThrow(message)
  })

  it('has a schema for editors', async () => {
    const path = new URL('../../../../../docs/connector.schema.json', import.meta.url)

    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(
      JSON.parse(
        JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...ConnectorSchema }),
      ),
    )
  })
})
