import { isIPv6 } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Who is behind an address: with IPv6 everybody has a whole /64, and so any number of addresses to try from. */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [, mapped] = MAPPED.exec(address) ?? []
  return mapped ?? `${groupsOf(address).slice(0, 4).join(':')}::/64`
}

/** All eight, each written in one way. */
function groupsOf(address: string): string[] {
  const [plain = ''] = address.split('%')
  const [left = [], right] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const missing = right ? 8 - left.length - right.length : 0
  const groups = [...left, ...Array<string>(missing).fill('0'), ...(right ?? [])]
  return groups.map((group) => Number.parseInt(group, 16).toString(16))
}
