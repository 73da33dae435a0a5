import { isOnSecondDevice } from './devices.ts'
import { habitOf } from './people.ts'
import { chance, createPicker, hash } from './random.ts'
import type { Session } from './sessions.ts'
import type { World } from './world.ts'

/** A step of a session: a page view, or an action on the previous page. */
export type Step = { readonly page: string } | { readonly action: Action }

export type Action =
  | '$identify'
  | '$groupidentify'
  | 'signed_up'
  | 'logged_in'
  | 'project_created'
  | 'purchased'
  | 'task_completed'
  | 'file_uploaded'
  | 'teammate_invited'

const page = (path: string): Step => ({ page: path })
const action = (name: Action): Step => ({ action: name })

/** Links the device to the person who signs in. */
const IDENTIFY = action('$identify')
/** Sets the properties of the person's company. */
const GROUP = action('$groupidentify')
const LOGIN = page('/login')

const pickLanding = createPicker<Step>([
  [48, page('/')],
  [12, page('/pricing')],
  [14, page('/blog/planning-a-small-garden')],
  [9, page('/blog/ten-habits-of-calm-teams')],
  [9, page('/docs/getting-started')],
  [8, page('/features')],
])
const pickSitePage = createPicker<Step>([
  [22, page('/')],
  [24, page('/pricing')],
  [20, page('/features')],
  [10, page('/customers')],
  [8, page('/blog')],
  [10, page('/docs/getting-started')],
  [6, page('/about')],
])
const pickWork = createPicker<Step>([
  [18, page('/app')],
  [16, page('/app/projects')],
  [12, page('/app/calendar')],
  [7, page('/app/reports')],
  [4, page('/app/settings')],
  [3, page('/docs/automation')],
  [26, action('task_completed')],
  [10, action('file_uploaded')],
  [4, action('teammate_invited')],
])

/** The first number of the random draws for the events of a session; other draws have lower numbers. */
const DRAW = 1000

/** Tells whether the person is signed in when the session begins. */
export const startsSignedIn = ({ purpose }: Session, [first]: readonly Step[]): boolean =>
  !['look', 'sign up'].includes(purpose) && first !== LOGIN

/** Generates as many steps as the session is long: first those of its purpose, then random ones. */
export function generateSteps(world: World, session: Session): Step[] {
  const { seed } = world
  const key = hash(seed, session.day, session.number)
  const at = (number: number) => chance(seed, key, DRAW + number)
  const steps = plannedSteps(world, session, at(0)).slice(0, session.length)
  const pickNext = session.purpose === 'look' ? pickSitePage : pickWork
  while (steps.length < session.length) {
    const next = pickNext(at(steps.length))
    steps.push(isProject(next, at(steps.length + 100)) ? projectPage(at(steps.length)) : next)
  }
  return steps
}

function plannedSteps(world: World, session: Session, at: number): Step[] {
  const { purpose, person } = session
  switch (purpose) {
    case 'look':
      return [pickLanding(at)]
    case 'sign up': {
      const steps = [
        pickLanding(at),
        page('/signup'),
        IDENTIFY,
        GROUP,
        action('signed_up'),
        page('/app'),
      ]
      const startsAtOnce = habitOf(world, person).activatesAfter === 0
      return startsAtOnce ? [...steps, page('/app/projects/new'), action('project_created')] : steps
    }
    case 'activate':
      return [page('/app'), page('/app/projects/new'), action('project_created')]
    case 'buy':
      return [page('/app/billing'), action('purchased'), GROUP]
    case 'use':
      return at < 0.35 || isOnSecondDevice(world, session)
        ? [LOGIN, IDENTIFY, GROUP, action('logged_in'), page('/app')]
        : [page('/app')]
  }
}

const isProject = (step: Step, at: number): boolean =>
  'page' in step && step.page === '/app/projects' && at < 0.7

const projectPage = (at: number): Step => page(`/app/projects/${1 + Math.floor(at * 40)}`)
