import '@fontsource-variable/inter/index.css'
import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './styles.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { redirectToSignIn } from './api/sign-out.ts'
import { createQueryClient } from './query-client.ts'
import { createAppRouter } from './router.tsx'
import { theme } from './theme.ts'
import { OnDemand } from './ui/dialog/on-demand.tsx'
import { readNonce } from './ui/page/nonce.ts'

// libraries read the nonce for their style elements from this variable: react-remove-scroll and react-draggable
Object.assign(globalThis, { __webpack_nonce__: readNonce() })

const client = createQueryClient(redirectToSignIn)
const router = createAppRouter(client)

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={readNonce}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        <OnDemand />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
