/** Finds a relation's target in a `Link` header (RFC 8288), in linear time for any header. */
export function findLink(header: string, relation: string): string | undefined {
  const target = /[\s,]*<([^>]*)>/y
  const parameter = /\s*;\s*([^\s=;,"<>]*)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/y
  for (let found = target.exec(header); found; found = target.exec(header)) {
    let relations = ''
    parameter.lastIndex = target.lastIndex
    for (let one = parameter.exec(header); one; one = parameter.exec(header)) {
      target.lastIndex = parameter.lastIndex
      const [, name, quoted, plain] = one
      if (name?.toLowerCase() === 'rel') relations ||= quoted ?? plain ?? ''
    }
    if (relations.toLowerCase().split(/\s+/).includes(relation)) return found[1]
  }
  return undefined
}
