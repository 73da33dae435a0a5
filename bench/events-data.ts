/** Events of a web shop, about 350 bytes each as JSON. */
export interface BenchEvent {
  readonly uuid: string
  readonly event: string
  readonly distinct_id: string
  readonly timestamp: string
  readonly properties: Record<string, unknown>
}

let made = 0

/** Unique IDs, numbered in their last digits so that a sender can derive new ones. */
export const benchUuid = (number: number): string =>
  `019a0000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`

export function benchEvent(now = Date.now()): BenchEvent {
  made++
  return {
    uuid: benchUuid(made),
    event: ['$pageview', 'added to cart', 'checked out'][made % 3] as string,
    distinct_id: `user-${made % 5000}`,
    timestamp: new Date(now - (made % 3600) * 1000).toISOString(),
    properties: {
      $browser: ['Firefox', 'Chrome', 'Safari'][made % 3],
      $os: 'Linux',
      $current_url: `https://shop.example.com/products/${made % 997}?ref=mail`,
      $session_id: benchUuid(Math.floor(made / 20)),
      $lib: 'web',
      plan: 'pro',
      value: made % 100,
      returning: made % 2 === 0,
    },
  }
}

export const benchEvents = (count: number): BenchEvent[] =>
  Array.from({ length: count }, () => benchEvent())
