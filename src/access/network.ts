import { isIPv6 } from 'node:net'

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Returns the network of an address: for IPv6 a /64, because one user has all of its addresses. */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address
  const [, mapped] = MAPPED.exec(address) ?? []
  return mapped ?? `${toGroups(address).slice(0, 4).join(':')}::/64`
}

/** Returns an IPv4 address as it is written, also if it came over a socket for IPv6. */
export const toPlainAddress = (address: string): string => MAPPED.exec(address)?.[1] ?? address

/** Expands an address to its eight normalized groups. */
function toGroups(address: string): string[] {
  const [plain = ''] = address.split('%')
  const [left = [], right] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const missing = right ? 8 - left.length - right.length : 0
  const groups = [...left, ...Array<string>(missing).fill('0'), ...(right ?? [])]
  return groups.map((group) => Number.parseInt(group, 16).toString(16))
}
