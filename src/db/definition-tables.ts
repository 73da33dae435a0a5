import type { Generated } from 'kysely'
import type { Flag, Json, Time } from './values.ts'

export interface DefinitionTables {
  definition_details: {
    id: Generated<number>
    project_id: number
    /** Derived from type and name. */
    uuid: string
    type: 'event' | 'event_property' | 'person_property' | 'session_property'
    name: string
    description: string
    owner_id: number | null
    tags: Json
    verified: Flag
    verified_at: Time | null
    verified_by: number | null
    hidden: Flag
    /** Overrides the type that the values of a property suggest. */
    property_type: 'String' | 'Numeric' | 'Boolean' | 'DateTime' | null
    updated_at: Time
    updated_by: number | null
  }
}
