interface NamedUser {
  readonly first_name: string
  readonly last_name: string
  readonly email: string
}

/** Returns the full name, or the e-mail address of a user without a name. */
export const userName = ({ first_name, last_name, email }: NamedUser): string =>
  `${first_name} ${last_name}`.trim() || email
