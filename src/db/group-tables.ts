/** The names that people give to types of groups, whose groups are in the event store. */
export interface GroupTables {
  group_type_names: {
    project_id: number
    group_type: string
    name_singular: string | null
    name_plural: string | null
  }
}
