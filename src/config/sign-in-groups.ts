/** The level and projects of the members of a group of the identity provider. `*` is everybody. */
export interface GroupRule {
  readonly group: string
  /** 1 member, 8 admin, 15 owner. */
  readonly level: 1 | 8 | 15
  /** The level of the members of the group in the projects. */
  readonly access: 'member' | 'viewer'
  readonly projects: readonly number[]
}

const LEVELS = { viewer: 1, member: 1, admin: 8, owner: 15 } as const
const NAME = 'HEDGEROW_SIGN_IN_GROUPS'
/** The last `=` separates, because names of groups in directories contain others. */
const RULE =
  /^(?<group>.+)=\s*(?<level>viewer|member|admin|owner)\s*(?::\s*(?<projects>[\d\s,]+))?$/
const MAX_RULES = 1000
const MAX_ID = 2 ** 31 - 1

/** Reads rules such as `Analysts=member:1,2; Leads=admin`. Adds to the problems. */
export function toGroupRules(text: string | undefined, problems: string[]): readonly GroupRule[] {
  const parts = (text ?? '').split(';').flatMap((part) => part.trim() || [])
  const rules = parts.flatMap((part) => toRule(part, problems) ?? [])
  if (parts.length > MAX_RULES) problems.push(`${NAME} may have at most ${MAX_RULES} rules.`)
  const repeated = rules.find((rule, at) => rules.slice(0, at).some((other) => isSame(rule, other)))
  if (repeated) problems.push(`${NAME} names the group "${repeated.group}" twice.`)
  return Object.freeze(rules)
}

/** A group may be a viewer of some projects and a member of others. */
const isSame = (a: GroupRule, b: GroupRule): boolean => a.group === b.group && a.access === b.access

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
  if (level === 'viewer' && ids.length === 0) {
    problems.push(`${NAME}: "${text}" names no projects, such as ${group.trim()}=viewer:1,2.`)
  }
  if (LEVELS[level as keyof typeof LEVELS] > LEVELS.member && ids.length > 0) {
    problems.push(`${NAME}: "${text}" names projects, but every ${level} reaches all of them.`)
  }
  return Object.freeze({
    group: group.trim(),
    level: LEVELS[level as keyof typeof LEVELS],
    access: level === 'viewer' ? 'viewer' : 'member',
    projects: [...new Set(ids.map(Number))],
  })
}
