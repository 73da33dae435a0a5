export interface Check {
  readonly name: string
  /** `warning`: it works, and could be better. */
  readonly state: 'good' | 'warning' | 'bad'
  /** What was found and, unless it is good, what to do. */
  readonly detail: string
}

const check =
  (state: Check['state']) =>
  (name: string, detail: string): Check => ({ name, state, detail })

export const good = check('good')
export const warning = check('warning')
export const bad = check('bad')
