import { MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { ApiError } from './api/client.ts'
import { notify } from './ui/dialog/notify.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The form shows the error at its field, so no toast is shown. */
      readonly showsError?: boolean
      /** The queries that its success makes stale. It ends once those on the page are refreshed. */
      readonly stale?: readonly QueryKey[]
    }
  }
}

/** Finds the page for a user whom the server refuses everything else. */
function toOnlyPage(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.status === 401) return '/sign-in'
  return error.code === 'second_factor_required' ? '/second-factor' : undefined
}

export function createQueryClient(redirect: (page: string) => void): QueryClient {
  function redirectIfRefused(error: unknown): boolean {
    const page = toOnlyPage(error)
    if (page) redirect(page)
    return page !== undefined
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: redirectIfRefused }),
    mutationCache: new MutationCache({
      onSuccess: (_data, _variables, _result, { meta }) =>
        Promise.all((meta?.stale ?? []).map((queryKey) => client.invalidateQueries({ queryKey }))),
      onError: (error, _variables, _result, mutation) => {
        if (redirectIfRefused(error)) return
        if (mutation.meta?.showsError) return
        notify({ color: 'red', title: 'Something went wrong', message: error.message })
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // a retry does not change a 4xx, but may succeed after a network failure or a 5xx
        retry: (count, error) =>
          count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
    },
  })
  return client
}
