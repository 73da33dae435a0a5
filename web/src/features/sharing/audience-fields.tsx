import { Input, PasswordInput, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { LinkAudience } from '#model/public-links.ts'
import { Choice } from '../../ui/form/choice.tsx'
import { mailQuery } from './api.ts'

interface AudienceFieldsProps {
  /** The field props of a form. */
  readonly audience: {
    readonly value?: LinkAudience
    readonly onChange?: (value: LinkAudience) => void
  }
  readonly password: object
  readonly hasPassword: boolean
}

const NO_MAIL =
  'Inviting people needs mail, which this server does not send. Ask your admin to set it up.'

/** Chooses who can open a link. */
export function AudienceFields({ audience, password, hasPassword }: AudienceFieldsProps) {
  const { data } = useQuery(mailQuery)
  const cannotMail = data?.sends_mail === false
  const choices: readonly { value: LinkAudience; label: string; disabled?: boolean }[] = [
    { value: 'anyone', label: 'Anyone with the link' },
    { value: 'password', label: 'Anyone with the link and its password' },
    { value: 'people', label: 'Only people you invite', disabled: cannotMail },
  ]
  return (
    <Stack gap="xs">
      <Choice label="Who can open it" data={choices} {...audience} />
      {audience.value === 'password' && (
        <PasswordInput
          aria-label="Password"
          autoComplete="new-password"
          placeholder={hasPassword ? 'Unchanged' : 'Password'}
          {...password}
        />
      )}
      {audience.value === 'people' && (
        <Text size="sm" c="dimmed">
          They get a code by mail and enter it once in 30 days. Save the link to invite them.
        </Text>
      )}
      {cannotMail && <Input.Description>{NO_MAIL}</Input.Description>}
    </Stack>
  )
}
