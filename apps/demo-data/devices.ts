import { hex } from './ids.ts'
import { chance, createPicker, hash } from './random.ts'
import type { Session } from './sessions.ts'
import type { World } from './world.ts'

export interface Device {
  readonly $browser: string
  readonly $browser_version: number
  readonly $os: string
  readonly $device_type: 'Desktop' | 'Mobile' | 'Tablet'
  readonly $screen_width: number
}

const device = (
  $browser: string,
  $browser_version: number,
  $os: string,
  $device_type: Device['$device_type'],
  $screen_width: number,
): Device => ({ $browser, $browser_version, $os, $device_type, $screen_width })

const PC = device('Chrome', 141, 'Windows', 'Desktop', 1920)
const MACBOOK = device('Chrome', 141, 'Mac OS X', 'Desktop', 1512)
const IPHONE = device('Mobile Safari', 18, 'iOS', 'Mobile', 393)
const ANDROID = device('Chrome', 141, 'Android', 'Mobile', 412)
const IPAD = device('Mobile Safari', 18, 'iOS', 'Tablet', 820)

const pickDevice = createPicker<Device>([
  [26, PC],
  [17, MACBOOK],
  [12, IPHONE],
  [11, ANDROID],
  [9, device('Safari', 18, 'Mac OS X', 'Desktop', 1440)],
  [8, device('Microsoft Edge', 140, 'Windows', 'Desktop', 1920)],
  [7, device('Firefox', 143, 'Windows', 'Desktop', 1680)],
  [5, device('Firefox', 143, 'Linux', 'Desktop', 2560)],
  [3, IPAD],
  [2, device('Samsung Internet', 28, 'Android', 'Mobile', 360)],
])
const pickHandheld = createPicker<Device>([
  [50, IPHONE],
  [38, ANDROID],
  [12, IPAD],
])
const pickComputer = createPicker<Device>([
  [60, PC],
  [40, MACBOOK],
])

/** The share of people who have a second device, and the share of their sessions on it. */
const SECOND = 0.45
const ON_SECOND = 0.35

/** Numbers of the random draws for a person or a session. */
const DRAW = {
  device: 15,
  hasSecond: 18,
  secondDevice: 19,
  anonymousId: 27,
  onSecond: 203,
} as const

/** Tells whether a session is on the person's second device. People only work there, after signing in. */
export function isOnSecondDevice({ seed }: World, session: Session): boolean {
  const { person, purpose, day, number } = session
  if (purpose !== 'use' || chance(seed, person, DRAW.hasSecond) >= SECOND) return false
  return chance(seed, hash(seed, day, number), DRAW.onSecond) < ON_SECOND
}

export function deviceOf(world: World, session: Session): Device {
  const { seed } = world
  const first = pickDevice(chance(seed, session.person, DRAW.device))
  if (!isOnSecondDevice(world, session)) return first
  const pickOther = first.$device_type === 'Desktop' ? pickHandheld : pickComputer
  return pickOther(chance(seed, session.person, DRAW.secondDevice))
}

/** Returns the ID of a device before anyone signs in on it, in the form that clients generate. */
export function anonymousIdOf(world: World, session: Session): string {
  const { mark, seed } = world
  const { person } = session
  const device = isOnSecondDevice(world, session) ? 2 : 1
  // begins and ends with random digits, because lists show its ends
  const random = hex(hash(seed, person, DRAW.anonymousId + device), 8)
  return `${random}-${mark.slice(8)}-8${mark.slice(5, 8)}-900${device}-${hex(person, 6)}${random.slice(2)}`
}
