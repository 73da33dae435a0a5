import type { PublicLink, PublicLinkWrite } from '#server/features/dashboards/links/schema.ts'
import type { PropertyRef } from '../properties/filters-model.ts'

/** A property that viewers can filter by. Without values they type one. */
export interface PropertyValues {
  /** undefined: not chosen yet. */
  readonly ref: PropertyRef | undefined
  readonly values: readonly string[]
}

export interface VariableValues {
  readonly code_name: string
  readonly values: readonly string[]
}

/** The fields that viewers can change, as they are typed into a form. */
export interface ViewerValues {
  readonly dates: boolean
  readonly properties: readonly PropertyValues[]
  readonly variables: readonly VariableValues[]
}

type Saved = PublicLink['viewer_filters']

export const toViewerValues = (saved: Saved): ViewerValues => ({
  dates: saved?.dates ?? false,
  properties: (saved?.properties ?? []).map(({ key, type, group_type_index: index, values }) => ({
    ref: { key, type, ...(index !== null && { group_type_index: index }) },
    values: values ?? [],
  })),
  variables: (saved?.variables ?? []).map(({ code_name, values }) => ({
    code_name,
    values: values.map(String),
  })),
})

/** Leaves out rows that were added but not filled in. */
export const toViewerFilters = (
  { dates, properties, variables }: ViewerValues,
  saved: Saved,
): PublicLinkWrite['viewer_filters'] => ({
  dates,
  properties: properties.flatMap(({ ref, values }) =>
    ref && ref.type !== 'cohort'
      ? [{ ...ref, type: ref.type, values: values.length > 0 ? [...values] : null }]
      : [],
  ),
  variables: variables
    .filter(({ code_name }) => code_name.trim() !== '')
    .map(({ code_name, values }) => {
      const before = saved?.variables.find((each) => each.code_name === code_name)?.values ?? []
      return { code_name: code_name.trim(), values: values.map((text) => toValue(text, before)) }
    }),
})

/** Keeps values as they were saved. A new one that is written like a number is a number. */
function toValue(text: string, before: readonly (string | number | boolean)[]) {
  const known = before.find((value) => String(value) === text)
  if (known !== undefined) return known
  return String(Number(text)) === text ? Number(text) : text
}
