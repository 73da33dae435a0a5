import { Button, Group, SimpleGrid, Stack } from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import { FormError, type FormState } from '../../../ui/form/form-error.tsx'

interface SettingsFormProps {
  readonly form: FormState
  readonly saving: { readonly isPending: boolean; readonly error: Error | null }
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void
  /** Label of the submit button. Without it the form is only shown. */
  readonly yes: string | false
  readonly isDisabled?: boolean
  /** Form fields. */
  readonly children: ReactNode
}

/** A form of a panel, with its fields in two columns. */
export const SettingsForm = ({ form, saving, onSubmit, yes, ...props }: SettingsFormProps) => (
  <form onSubmit={onSubmit}>
    <Stack>
      <FormError error={saving.error} form={form} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>{props.children}</SimpleGrid>
      {yes && (
        <Group>
          <Button type="submit" loading={saving.isPending} disabled={props.isDisabled ?? false}>
            {yes}
          </Button>
        </Group>
      )}
    </Stack>
  </form>
)
