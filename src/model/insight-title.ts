interface Named {
  readonly name?: string | null
  readonly derived_name?: string | null
}

/** Returns the name that people see of an insight. Clients derive one from the query if nobody gave one. */
export const toInsightTitle = ({ name, derived_name }: Named): string =>
  name || derived_name || 'Untitled insight'
