import { randomText } from '#server/db/values.ts'
import { invalid } from '#server/errors.ts'
import { hashPassword, requirePassword } from '#server/features/accounts/users/passwords.ts'
import type { LinkRow } from '../link-store.ts'
import type { PublicLinkWrite } from './schema.ts'

type AudienceWrite = Pick<PublicLinkWrite, 'audience' | 'password'>
type AudienceColumns = Pick<LinkRow, 'audience' | 'password_hash' | 'guest_key'>

/** Prepares who can open a link. Hashes the password outside the transaction, because that takes long. */
export async function prepareAudience({ audience, password }: AudienceWrite, canMail: boolean) {
  if (typeof password === 'string') requirePassword('password', password)
  const password_hash = typeof password === 'string' ? await hashPassword(password) : null

  /** Another audience or password ends the passes of the one before. */
  return (before: LinkRow['audience']): Partial<AudienceColumns> => {
    const after = audience ?? impliedBy(password, before)
    if (after !== 'password' && password_hash) {
      throw invalid('password', 'Only a link with the audience `password` has a password.')
    }
    if (after === 'password' && !password_hash && (before !== after || password === null)) {
      throw invalid('password', 'Enter a password.')
    }
    if (after === before && !password_hash) return {}
    if (after === 'people' && !canMail) throw invalid('audience', NO_MAIL)
    return {
      audience: after,
      password_hash,
      guest_key: after === 'people' ? randomText(43) : null,
    }
  }
}

const NO_MAIL =
  'A link for people mails them codes, and this server sends no mail. Ask your admin to set HEDGEROW_SMTP_URL, or choose another audience.'

const impliedBy = (
  password: AudienceWrite['password'],
  before: LinkRow['audience'],
): LinkRow['audience'] => {
  if (password === undefined) return before
  if (password !== null) return 'password'
  return before === 'password' ? 'anyone' : before
}
