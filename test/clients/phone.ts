/** The part of React Native that its clients use, as on an iPhone. */

type Listener = (state: 'active' | 'background') => void

const listeners = new Set<Listener>()

export const Platform = {
  OS: 'ios',
  Version: '26.1',
  select: (byPlatform: { ios?: unknown; default?: unknown }) =>
    byPlatform.ios ?? byPlatform.default,
}

export const AppState = {
  currentState: 'active',
  addEventListener(_: string, listener: Listener) {
    listeners.add(listener)
    return { remove: () => listeners.delete(listener) }
  },
}

export const Dimensions = {
  get: () => ({ width: 390, height: 844, scale: 3 }),
  addEventListener: () => ({ remove() {} }),
}

export const Linking = {
  getInitialURL: async () => null,
  addEventListener: () => ({ remove() {} }),
}

export const NativeModules = {}
export const StyleSheet = { create: (styles: object) => styles }

/** Puts the app into the background and back. */
export function leaveAndReturn(): void {
  for (const state of ['background', 'active'] as const)
    for (const listener of listeners) listener(state)
}
