/** The level and projects of the members of a group of the identity provider. `*` is everybody. */
export interface GroupRule {
  readonly group: string
  /** 1 member, 8 admin, 15 owner. */
  readonly level: 1 | 8 | 15
  readonly projects: readonly number[]
}

const LEVELS = { member: 1, admin: 8, owner: 15 } as const
const NAME = 'HEDGEROW_SIGN_IN_GROUPS'
/** The last `=` separates, because names of groups in directories contain others. */
const RULE = /^(?<group>.+)=\s*(?<level>member|admin|owner)\s*(?::\s*(?<projects>[\d\s,]+))?$/
const MAX_RULES = 1000
const MAX_ID = 2 ** 31 - 1

/** Reads rules such as `Analysts=member:1,2; Leads=admin`. Adds to the problems. */
export function toGroupRules(text: string | undefined, problems: string[]): readonly GroupRule[] {
  const parts = (text ?? '').split(';').flatMap((part) => part.trim() || [])
  const rules = parts.flatMap((part) => toRule(part, problems) ?? [])
  if (parts.length > MAX_RULES) problems.push(`${NAME} may have at most ${MAX_RULES} rules.`)
  const repeated = rules.find(({ group }, i) => rules.findIndex((r) => r.group === group) < i)
  if (repeated) problems.push(`${NAME} names the group "${repeated.group}" twice.`)
  return Object.freeze(rules)
}

function toRule(text: string, problems: string[]): GroupRule | undefined {
  const { group = '', level = '', projects = '' } = RULE.exec(text)?.groups ?? {}
  const ids = projects.split(',').flatMap((part) => part.trim() || [])
  const areIds = ids.every((id) => /^[1-9]\d*$/.test(id) && Number(id) <= MAX_ID)
  if (group.trim() === '' || !areIds || (projects !== '' && ids.length === 0)) {
    problems.push(
      `${NAME}: "${text}" is not a rule such as Analysts=member:1,2 or Leads=admin; rules are separated by semicolons.`,
    )
    return undefined
  }
  if (level !== 'member' && ids.length > 0) {
    problems.push(`${NAME}: "${text}" names projects, but every ${level} reaches all of them.`)
  }
  return Object.freeze({
    group: group.trim(),
    level: LEVELS[level as keyof typeof LEVELS],
    projects: [...new Set(ids.map(Number))],
  })
}
