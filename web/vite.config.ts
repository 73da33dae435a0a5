import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { browserClient } from './browser-client.ts'
import { precompress } from './precompress.ts'
import { preloadedPages } from './preloaded-pages.ts'

/** For `npm run dev`: the server's URL, and an API key instead of signing in. */
const { HEDGEROW_URL: SERVER = 'http://127.0.0.1:8000', HEDGEROW_KEY: KEY } = process.env
const toServer = { target: SERVER, headers: KEY ? { authorization: `Bearer ${KEY}` } : {} }

/** The files that `index.html` loads. */
const INITIAL = /assets\/(index|icons|mantine|model|react|rolldown-runtime|shared|tslib)-[^/]*$/

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), preloadedPages(), browserClient(), precompress()],
  // react-resizable requires it as CommonJS and react-grid-layout imports it: without the alias it is bundled twice
  resolve: { alias: { 'react-draggable': fileURLToPath(import.meta.resolve('react-draggable')) } },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // the content security policy forbids inline resources
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // what every page has loaded by then need not be named again
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((file) => !INITIAL.test(file)),
    },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input: ['index.html', 'shared.html', 'docs.html'].map((page) =>
        join(import.meta.dirname, page),
      ),
      output: {
        // the first script names all others, and hashes do not compress
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            // used by ECharts and Mantine; shared pages load ECharts without Mantine
            { name: 'tslib', test: /node_modules\/tslib\//, priority: 1 },
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            {
              name: 'mantine',
              test: /node_modules\/(@mantine\/(core|hooks)|@floating-ui)\//,
              tags: ['$initial'], // components that one page uses load with that page
            },
            // tiny files, each of which the first script would name
            {
              name: 'helpers',
              test: /node_modules\/@mantine\/(core|hooks)\/.*\/(clamp|get-auto-contrast-value|get-env|get-style-object|to-int|use-callback-ref|use-debounced-value|use-force-update|use-mantine-color-scheme)\./,
            },
            // small files compress badly: pages share one file
            { name: 'icons', test: /node_modules\/@tabler\//, minShareCount: 2 },
            // a file of its own would be named by the first script
            { name: 'choice', test: /web\/src\/(ui\/form\/choice|features\/sharing\/frames)\./ },
            { name: 'charts', test: /src\/model\/(box-plot|countries|series-look|charts\/)/ },
            // one file for the app and shared pages, without what only paths and maps need
            {
              name: 'echarts',
              test: /node_modules\/(echarts\/(?!lib\/(coord\/View|component\/helper\/[Rr]oam))|zrender\/)/,
              minShareCount: 2,
            },
            {
              name: 'model',
              test: /src\/model\/(?!actions|actors|app-limitation|box-|charts|connect-samples|countries|csv|dashboard-filters|destination|event-columns|limits|series-look|median|session-properties|sql-tables|unless-too-deep|usual-range|web-breakdowns|world|names\/(?!event-label|events))/,
              priority: 1,
            },
            // pages of public links load it too, and nothing else of the app
            { name: 'chart-parts', test: /web\/src\/ui\/chart\/parts\./, priority: 1 },
            { name: 'shared', test: /web\/src\/((api|ui)\/|query-client)/, tags: ['$initial'] },
            // small files that most pages load one by one otherwise
            {
              name: 'common',
              test: /web\/src\/(ui\/(page\/(lazy-menu|exact-time)|dialog\/confirm|form\/(unsaved-guard|date-range-picker|date-ranges))|features\/(apps\/(keys|schedule\/health)|notifications\/lists|properties\/add-filter|persons\/behind-point\/use-persons-dialog))\./,
            },
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
