import type { OutputBundle, OutputChunk } from 'rolldown'
import type { Plugin } from 'vite'

/** What a dashboard shows is loaded by these, as soon as the app runs. */
const LOADED_LATER = ['/features/dashboard/page.tsx', '/ui/drawn-chart.tsx']

/** `dashboard.html`: the page of the app that names them beforehand, so that the browser asks for them before it runs. */
export function dashboardPage(): Plugin {
  return {
    name: 'dashboard-page',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post', // when index.html is there
      handler(_options, bundle) {
        const index = bundle['index.html']
        if (index?.type !== 'asset') throw new Error('There is no index.html to build on.')
        const html = String(index.source)
        const files = [...filesOf(bundle)].filter((file) => !html.includes(file))
        const links = files.map((file) => `    ${toLink(file)}\n`).join('')
        const source = html.replace('  </head>', `${links}  </head>`)
        this.emitFile({ type: 'asset', fileName: 'dashboard.html', source })
      },
    },
  }
}

function filesOf(bundle: OutputBundle): Set<string> {
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
  for (const module of LOADED_LATER) add(chunkOf(bundle, module))
  return files
}

function chunkOf(bundle: OutputBundle, module: string): OutputChunk {
  for (const output of Object.values(bundle)) {
    if (output.type === 'chunk' && output.facadeModuleId?.endsWith(module)) return output
  }
  throw new Error(`Nothing built begins with ${module}.`)
}

const toLink = (file: string): string =>
  file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="/${file}">`
    : `<link rel="modulepreload" crossorigin href="/${file}">`
