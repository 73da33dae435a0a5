import type { JsonObject } from '#model/json.ts'
import type { ToolDescriptor } from '../tool.ts'
import { PAGE } from './data.ts'

/** The two files of a connector, which has no code: tools install none. */
const FILES = {
  connector: {
    type: 'string',
    description:
      'The text of connector.yaml: base_url, auth, streams with path, records, paginate, primary_key and to (docs/connectors.md).',
  },
  plugin: {
    type: 'object',
    additionalProperties: true,
    description:
      'plugin.json: `name`, and `config` with the settings that the connector names, each with key, name, type and secret.',
  },
}

const toFiles = ({ connector, plugin }: JsonObject): JsonObject => ({
  files: {
    'connector.yaml': String(connector),
    'plugin.json': JSON.stringify({ publicJobs: { 'Import now': {} }, ...(plugin as JsonObject) }),
  },
})

export const CONNECTOR_TOOLS: readonly ToolDescriptor[] = [
  {
    name: 'import-catalog-list',
    title: 'Search the catalog of import apps',
    description:
      'Lists the apps that can be added, with category, streams, dashboard template and guide.',
    operation: 'listPluginCatalog',
    inputs: ['search', 'category', ...PAGE],
    omit: ['results.*.icon'],
  },
  {
    name: 'connector-fetch',
    title: 'Fetch a response for a connector',
    description:
      'Sends one GET to an API, to see what a connector would read. The key is masked in the response.',
    operation: 'fetchForPluginDraft',
    inputs: ['url', 'key'],
  },
  {
    name: 'connector-test',
    title: 'Test a connector',
    description:
      'Runs a connector once with these settings and returns its first events. Nothing is stored.',
    operation: 'testPluginDraft',
    inputs: ['settings'],
    own: FILES,
    required: ['connector', 'plugin'],
    toFields: toFiles,
  },
  {
    name: 'connector-save',
    title: 'Save a connector as an app',
    description:
      'Installs a connector as an import app of the organization. Test it before; import-config-create adds it to a project.',
    operation: 'installPlugin',
    fixed: { plugin_type: 'source' },
    own: FILES,
    required: ['connector', 'plugin'],
    toFields: toFiles,
    omit: ['icon', 'organization_id', 'organization_name', 'metrics'],
  },
]
