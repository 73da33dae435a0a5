import type { AppDescription } from '#server/runtime/process/protocol.ts'

type AnyFunction = (...args: unknown[]) => unknown
type Bag = Record<string, unknown>

export interface AppExports {
  find(name: string): AnyFunction | undefined
  findJob(name: string): AnyFunction | undefined
  describe(): AppDescription
}

const METHODS = [
  'setupPlugin',
  'teardownPlugin',
  'onEvent',
  'processEvent',
  'composeWebhook',
  'getSettings',
]

/** The first place that has a name wins. Globals count only for an app that exports nothing. */
export function readExports(
  exported: unknown,
  moduleExported: unknown,
  global: object,
): AppExports {
  const bags = [exported, defaultOf(exported), moduleExported, defaultOf(moduleExported)].filter(
    isBag,
  )
  const isSilent = bags.every((bag) => Object.keys(bag).length === 0)
  const places = isSilent ? [global as Bag] : bags

  const value = (name: string): unknown => places.find((bag) => bag[name] !== undefined)?.[name]
  const find = (name: string): AnyFunction | undefined => {
    const found = value(name)
    return typeof found === 'function' ? (found as AnyFunction) : undefined
  }
  const jobs = (): Bag => {
    const found = value('jobs')
    return isBag(found) ? found : {}
  }
  const names = () => new Set(places.flatMap((bag) => Object.getOwnPropertyNames(bag)))

  return {
    find,
    findJob: (name) => {
      const job = Object.hasOwn(jobs(), name) ? jobs()[name] : undefined
      return typeof job === 'function' ? (job as AnyFunction) : undefined
    },
    describe: () => ({
      scheduled_tasks: [...names()].filter((name) => name.startsWith('runEvery') && find(name)),
      jobs: Object.keys(jobs()).filter((name) => typeof jobs()[name] === 'function'),
      methods: METHODS.filter(find),
    }),
  }
}

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null

const defaultOf = (value: unknown): unknown => (isBag(value) ? value.default : undefined)
