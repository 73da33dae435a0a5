import { Button, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Refusal, toFieldErrors } from './refusal.tsx'

interface AccountFormProps<Values extends object> {
  readonly form: UseFormReturnType<Values>
  readonly send: UseMutationResult<unknown, Error, Values>
  readonly onDone: () => void
  /** What its button says. */
  readonly yes: ReactNode
  /** The fields. */
  readonly children: ReactNode
}

/** A form that leads into the app: what is refused stands at its field, or above them all. */
export function AccountForm<Values extends object>(props: AccountFormProps<Values>) {
  const { form, send, onDone } = props
  const submit = form.onSubmit((values) =>
    send.mutate(values, {
      onSuccess: onDone,
      onError: (error) => form.setErrors(toFieldErrors(error)),
    }),
  )
  return (
    <form onSubmit={submit}>
      <Stack>
        <Refusal error={send.error} values={form.values} />
        {props.children}
        {/* another page takes a moment to come */}
        <Button type="submit" loading={send.isPending || send.isSuccess} fullWidth>
          {props.yes}
        </Button>
      </Stack>
    </form>
  )
}
