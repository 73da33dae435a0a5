import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { dashboardPage } from './dashboard-page.ts'
import { precompress } from './precompress.ts'

/** For `npm run dev`: where the server is, and a key instead of signing in. */
const { HEDGEROW_URL: SERVER = 'http://127.0.0.1:8000', HEDGEROW_KEY: KEY } = process.env
const toServer = { target: SERVER, headers: KEY ? { authorization: `Bearer ${KEY}` } : {} }

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), dashboardPage(), precompress()],
  // what resizes tiles asks for it the old way and what moves them the new one: without this it would be there twice
  resolve: { alias: { 'react-draggable': fileURLToPath(import.meta.resolve('react-draggable')) } },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // the page's policy allows files of ours and nothing inline
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: ['index.html', 'shared.html'].map((page) => join(import.meta.dirname, page)),
      output: {
        codeSplitting: {
          groups: [
            // both ECharts and Mantine use it: shared pages load the one without the other
            { name: 'tslib', test: /node_modules\/tslib\//, priority: 1 },
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            {
              name: 'mantine',
              test: /node_modules\/(@mantine\/(core|hooks)|@floating-ui)\//,
              tags: ['$initial'], // what one page alone needs is loaded with it
            },
            // small files compress badly: what several pages share is one file
            { name: 'icons', test: /node_modules\/@tabler\//, minShareCount: 2 },
            { name: 'shared', test: /web\/src\/(api|ui)\//, tags: ['$initial'] },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/shared', '/embedded', '/docs', '/sign-in/oidc'].map((path) => [path, toServer]),
    ),
  },
})
