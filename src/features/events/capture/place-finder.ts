import type { Places } from '#server/geoip/places.ts'

/**
 * Finds places as members of a JSON object, without braces; '' for unknown ones. Looks up the sender once, because most
 * requests have the events of one visitor.
 */
export function createPlaceFinder(places: Places, sender: string): (address: unknown) => string {
  let senderPlace: string | undefined
  const find = (address: string): string => {
    const place = places.find(address)
    return place ? JSON.stringify(place).slice(1, -1) : ''
  }
  return (address) => {
    if (typeof address === 'string') return find(address)
    senderPlace ??= find(sender)
    return senderPlace
  }
}
