import { BlockList, isIP } from 'node:net'

/** Addresses outside the public internet: https://www.iana.org/assignments/iana-ipv4-special-registry */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** The only range of public addresses. Mapped, translated, local and multicast addresses are outside. */
const GLOBAL_IPV6 = '2000::/3'

/** Inside that range: tunnels, which lead to any IPv4 address, and documentation. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** Decides which addresses may be reached. */
export interface AddressRules {
  /** An allowed name may resolve to any address. */
  isAllowedName(name: string): boolean
  isAllowedAddress(address: string): boolean
}

/** `allowed` holds the names, addresses and CIDRs that the operator allows although they are private. */
export function createAddressRules(allowed: readonly string[]): AddressRules {
  const exceptions = toBlockList(allowed.filter((entry) => isIP(entry.split('/')[0] ?? '') > 0))
  const names = new Set(allowed.map((entry) => entry.toLowerCase().replace(/\.$/, '')))

  return {
    isAllowedName: (name) => names.has(name.toLowerCase().replace(/\.$/, '')),
    isAllowedAddress(address) {
      const family = isIP(address)
      if (family === 0) return false
      const kind = family === 6 ? 'ipv6' : 'ipv4'
      return exceptions.check(address, kind) || isPublicAddress(address)
    },
  }
}

let lists: { readonly special: BlockList; readonly global: BlockList } | undefined

/** Tells whether an address is part of the public internet. Other text is not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return false
  const kind = family === 6 ? 'ipv6' : 'ipv4'
  // at their first use, because a server needs none of them to start and creating them takes 10 ms
  lists ??= {
    special: toBlockList([...SPECIAL_IPV4, ...SPECIAL_IPV6]),
    global: toBlockList([GLOBAL_IPV6]),
  }
  const { special, global } = lists
  if (special.check(address, kind)) return false
  return family === 4 || global.check(address, kind)
}

function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const isV6 = isIP(address) === 6
    list.addSubnet(address, Number(bits ?? (isV6 ? 128 : 32)), isV6 ? 'ipv6' : 'ipv4')
  }
  return list
}
