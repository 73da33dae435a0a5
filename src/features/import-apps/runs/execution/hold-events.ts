import type { AppServices, CapturedEvent } from '#server/runtime/contract.ts'

const MAX_HELD_EVENTS = 4000

export type HeldEvents = ReturnType<typeof holdEvents>

/** Lets the app continue before its events are stored. A request counts as handled only after the release. */
export function holdEvents(services: AppServices) {
  let held: CapturedEvent[] | undefined = []
  return {
    services: {
      ...services,
      async capture(events: readonly CapturedEvent[]) {
        if (!held) return services.capture(events) // the app is being unloaded
        held.push(...events)
        if (held.length < MAX_HELD_EVENTS) return
        const full = held
        held = []
        await services.capture(full)
      },
    },
    count: () => held?.length ?? 0,
    /** Forgets the events after this many: their requests will be handled again. */
    dropFrom: (count: number) => void held?.splice(count),
    async release(): Promise<void> {
      const rest = held ?? []
      held = undefined
      if (rest.length > 0) await services.capture(rest)
    },
  }
}
