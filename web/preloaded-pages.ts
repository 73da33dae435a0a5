import type { OutputBundle, OutputChunk } from 'rolldown'
import type { Plugin } from 'vite'

/** The modules that a page imports dynamically. */
const PAGES = {
  'dashboard.html': ['/features/dashboard-page/page.tsx', '/ui/chart/drawn-chart.tsx'],
  'dashboards.html': ['/features/dashboard-list/list-page.tsx'],
}

/** Emits index.html again for each of these pages, with links that preload its modules before the app runs. */
export function preloadedPages(): Plugin {
  return {
    name: 'preloaded-pages',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post', // after index.html is emitted
      handler(_options, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') throw new Error('index.html is missing from the bundle.')
        const html = String(index.source)
        for (const [fileName, modules] of Object.entries(PAGES)) {
          const files = [...listFiles(bundle, modules)].filter((file) => !html.includes(file))
          const links = files.map((file) => `    ${toLink(file)}\n`).join('')
          const source = html.replace('  </head>', `${links}  </head>`)
          this.emitFile({ type: 'asset', fileName, source })
        }
      },
    },
  }
}

function listFiles(bundle: OutputBundle, modules: readonly string[]): Set<string> {
  const files = new Set<string>()
  const add = (chunk: OutputChunk) => {
    if (files.has(chunk.fileName)) return
    files.add(chunk.fileName)
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css)
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') add(imported)
    }
  }
  for (const module of modules) add(findChunk(bundle, module))
  return files
}

function findChunk(bundle: OutputBundle, module: string): OutputChunk {
  for (const output of Object.values(bundle)) {
    if (output.type === 'chunk' && output.facadeModuleId?.endsWith(module)) return output
  }
  throw new Error(`No chunk was built for ${module}.`)
}

const toLink = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`
