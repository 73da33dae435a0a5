import type { OutputBundle, OutputChunk } from 'rolldown'
import type { Plugin } from 'vite'

/** Modules that a dashboard page imports dynamically. */
const DYNAMIC_MODULES = ['/features/dashboard-page/page.tsx', '/ui/chart/drawn-chart.tsx']

/** Emits `dashboard.html`: index.html with preload links for those modules, so they load before the app runs. */
export function dashboardPage(): Plugin {
  return {
    name: 'dashboard-page',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post', // after index.html is emitted
      handler(_options, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') throw new Error('index.html is missing from the bundle.')
        const html = String(index.source)
        const files = [...listFiles(bundle)].filter((file) => !html.includes(file))
        const links = files.map((file) => `    ${toLink(file)}\n`).join('')
        const source = html.replace('  </head>', `${links}  </head>`)
        this.emitFile({ type: 'asset', fileName: 'dashboard.html', source })
      },
    },
  }
}

function listFiles(bundle: OutputBundle): Set<string> {
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
  for (const module of DYNAMIC_MODULES) add(findChunk(bundle, module))
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
