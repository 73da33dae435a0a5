import { Type } from 'typebox'
import { type Properties, PropertyFilter } from '#model/query-kinds/common.schema.ts'
import { requireName } from '#server/http/names.ts'
import { Time } from '#server/http/schemas.ts'
import { defineResource } from '#server/resource/resource.ts'
import { unavailableFields } from './unavailable-settings.ts'

const Uuid = Type.String({ format: 'uuid' })
const TestAccountFilters = Type.Array(PropertyFilter, { maxItems: 100 })

export const projectResource = defineResource('projects', {
  id: { schema: Type.Integer() },
  uuid: { schema: Uuid },
  organization: { schema: Uuid, column: 'organization_id' },
  project_id: { schema: Type.Integer(), column: 'id' },
  name: {
    schema: Type.String(),
    write: Type.String({ minLength: 1, maxLength: 400 }),
    normalize: (name: string) => requireName('name', name, 400),
  },
  api_token: { schema: Type.String({ description: 'Token for sending events. Not a secret.' }) },
  timezone: {
    schema: Type.String(),
    write: Type.String({ minLength: 1, maxLength: 100, examples: ['Europe/Berlin'] }),
  },
  is_demo: {
    schema: Type.Boolean({ description: 'Whether demo data was loaded into the project.' }),
    read: (row: { readonly demo_config_id: number | null }) => row.demo_config_id !== null,
  },
  retention_days: {
    schema: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Days until events are deleted. null: never.',
    }),
    write: Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()], {
      description: 'Deletes older events every hour. null: never.',
    }),
  },
  week_start_day: {
    schema: Type.Integer({ description: 'First day of the week: 0 is Sunday, 1 is Monday.' }),
    write: Type.Unsafe<0 | 1>({ title: 'WeekStartDay', type: 'integer', enum: [0, 1] }),
  },
  test_account_filters: {
    schema: Type.Unsafe<Properties>({
      ...TestAccountFilters,
      description: 'Queries that exclude test accounts count only events that match these filters.',
    }),
    write: TestAccountFilters,
  },
  anonymize_ips: {
    schema: Type.Boolean({
      description: 'Whether captured events are stored without the IP address of their sender.',
    }),
    write: Type.Boolean({
      description:
        'Stores events without the IP address of their sender. Stored events keep theirs.',
    }),
  },
  viewers_can_export: {
    schema: Type.Boolean({ description: 'Whether viewers of the project can export.' }),
    write: Type.Boolean({
      description:
        'Lets viewers of the project export dashboards and insights. Members always can. Default: false.',
    }),
  },
  ...unavailableFields,
  created_at: { schema: Time },
})
