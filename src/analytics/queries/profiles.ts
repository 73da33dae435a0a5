import type { EventTable } from '../event-table.ts'

/** Reads every property from the profile of `p`, for statements about persons that have no event to read one from. */
export const toProfiles = (table: EventTable): EventTable => ({
  ...table,
  property: table.profileProperty,
  personProperty: table.profileProperty,
})

/** Reads the properties of groups from the profile of `g`, for statements about groups that have no event to read one from. */
export const toGroupProfiles = (table: EventTable): EventTable => ({
  ...table,
  groupProperty: ({ key }) => table.groupProfileProperty(key),
})
