/** The cohorts that a text names, without regard to strings and comments, so perhaps some more. */
export interface NamedCohorts {
  /** Whether it reads the table of all cohorts. */
  readonly isAll: boolean
  readonly named: readonly (number | string)[]
}

const IN_COHORT = /\bin\s+cohort\s*\(?\s*(?:(\d+)|'((?:''|[^'])*)')/gi

export const findNamedCohorts = (text: string): NamedCohorts => ({
  isAll: /\bcohort_people\b/i.test(text),
  named: [...text.matchAll(IN_COHORT)].map(([, id, name = '']) =>
    id ? Number(id) : name.replaceAll("''", "'"),
  ),
})
