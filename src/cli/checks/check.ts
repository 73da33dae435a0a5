export interface Check {
  readonly name: string
  /** `warning`: works, but needs attention. */
  readonly state: 'good' | 'warning' | 'bad'
  /** The finding and, unless it is good, the remedy. */
  readonly detail: string
}

const check =
  (state: Check['state']) =>
  (name: string, detail: string): Check => ({ name, state, detail })

export const good = check('good')
export const warning = check('warning')
export const bad = check('bad')
