import { OperatorError } from '#server/errors.ts'
import { keyFilePath, readKeyFile } from '#server/secrets/key-file.ts'
import { findKeyRing, type KeySource } from '#server/secrets/key-ring.ts'
import { parseKeys, type SecretKey } from '#server/secrets/keys.ts'
import { canDecrypt } from '#server/secrets/open.ts'
import { parseRows } from '../archive/json-lines.ts'
import { KEY_MEMBER, parseName } from '../archive/manifest.ts'
import { type Archive, type ReadMember, readWhole } from '../archive/read-archive.ts'
import type { Row } from '../metadata/tables.ts'
import { refuse } from './refuse.ts'

/**
 * Finds the keys for the key file, or undefined if the archive includes none and those of this installation fit.
 * Throws if a key is missing. The file keeps its own keys, because something else may be encrypted with them.
 */
export async function findRestoredKeys(
  archive: Archive,
  source: KeySource,
): Promise<readonly SecretKey[] | undefined> {
  const included = source.secretKey === undefined ? await readIncludedKeys(archive) : undefined
  const keys = included ?? findKeyRing(source)?.all() ?? []
  for (const { id, proof } of await readProofs(archive)) {
    const key = keys.find((one) => one.id === id)
    if (!key || !canDecrypt(key, proof)) throw wrongKey(id, source, archive)
  }
  if (!included) return undefined
  const isNew = ({ id }: SecretKey) => !included.some((key) => key.id === id)
  return [...included, ...(readKeyFile(source.dataFolder) ?? []).filter(isNew)]
}

async function readIncludedKeys({ members }: Archive): Promise<readonly SecretKey[] | undefined> {
  const member = members.find(({ name }) => name === KEY_MEMBER)
  return member && parseKeys((await readWhole(member)).toString(), 'The backup')
}

async function readProofs({ members }: Archive): Promise<{ id: string; proof: string }[]> {
  const parts = members.filter(({ name }) => {
    const place = parseName(name)
    return place?.kind === 'rows' && place.table === 'secret_keys'
  })
  const rows: Row[] = []
  for (const part of parts) rows.push(...(await readPart(part)))
  return rows.map(({ id, proof }) => ({ id: String(id), proof: String(proof) }))
}

async function readPart(part: ReadMember): Promise<Row[]> {
  try {
    return parseRows(await readWhole(part))
  } catch (error) {
    return refuse(error, part.name)
  }
}

function wrongKey(
  id: string,
  { dataFolder, secretKey }: KeySource,
  { manifest }: Archive,
): OperatorError {
  const file = keyFilePath(dataFolder)
  const [place, remedy] =
    secretKey === undefined
      ? [`neither in the backup nor in ${file}`, `copy its file to ${file}`]
      : manifest.includes_key
        ? ['not in HEDGEROW_SECRET_KEY', 'unset it to use the key in the backup']
        : ['not in HEDGEROW_SECRET_KEY', `unset it and copy the file of that key to ${file}`]
  return new OperatorError(
    `The secrets in the backup were encrypted with key ${id}, which is ${place}. Set HEDGEROW_SECRET_KEY to that key, or ${remedy}.`,
  )
}
