import { parse } from 'yaml'
import { translateManifest } from '#server/features/import-apps/plugins/airbyte/translate.ts'
import { parseConnector } from '#server/features/import-apps/plugins/package/connector.ts'

export type Fields = Record<string, unknown>

const SPEC = {
  type: 'Spec',
  connection_specification: {
    type: 'object',
    required: ['api_key'],
    properties: {
      api_key: { type: 'string', title: 'API key', airbyte_secret: true },
      start_date: { type: 'string', default: '2024-01-01' },
      shop: { type: 'string', description: 'Your <b>shop</b>', examples: ['acme'] },
      regions: { type: 'array', default: ['eu', 'us'] },
      state: { type: 'string', enum: ['open', 'all'], default: 'all' },
      credentials: {
        type: 'object',
        oneOf: [
          {
            properties: {
              auth_type: { const: 'oauth' },
              client_id: { type: 'string' },
              client_secret: { type: 'string', airbyte_secret: true },
              refresh_token: { type: 'string', airbyte_secret: true },
            },
          },
        ],
      },
    },
  },
}

const REQUESTER = { type: 'HttpRequester', url_base: 'https://api.example.com/v1/', path: 'orders' }
const SELECTOR = {
  type: 'RecordSelector',
  extractor: { type: 'DpathExtractor', field_path: ['data'] },
}

export interface Parts {
  readonly stream?: Fields
  readonly retriever?: Fields
  readonly requester?: Fields
  readonly selector?: Fields
  readonly manifest?: Fields
}

export const streamOf = ({ stream, retriever, requester, selector }: Parts) => ({
  type: 'DeclarativeStream',
  name: 'orders',
  primary_key: 'id',
  retriever: {
    type: 'SimpleRetriever',
    requester: { ...REQUESTER, ...requester },
    record_selector: { ...SELECTOR, ...selector },
    ...retriever,
  },
  ...stream,
})

export const manifestOf = (streams: unknown[], more: Fields = {}) =>
  JSON.stringify({ version: '6.0.0', type: 'DeclarativeSource', streams, spec: SPEC, ...more })

export async function translate(text: string, wanted?: readonly string[]) {
  const translation = await translateManifest(text, { name: 'Shop', wanted })
  const yaml = translation.files['connector.yaml'] as string
  await parseConnector(yaml)
  const plugin = JSON.parse(translation.files['plugin.json'] as string)
  return { ...translation, connector: parse(yaml), plugin }
}

export const translateOne = async (parts: Parts) => {
  const { connector, plugin } = await translate(manifestOf([streamOf(parts)], parts.manifest))
  return { connector, plugin, stream: connector.streams.at(-1) as Fields }
}
