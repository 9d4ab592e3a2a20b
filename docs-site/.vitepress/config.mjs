// SPDX-License-Identifier: Apache-2.0
// The site of docs/. Its Markdown is that of the repository; nothing here is needed to read it there.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { markdown } from './markdown.mjs'
import { sections } from './sections.mjs'

const path = (file) => fileURLToPath(new URL('../' + file, import.meta.url))
const javadoc = existsSync(path('target/public/javadoc/index.html'))

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 12 12"><path fill="#c9562d" d="M0 0h5v5H0zM7 7h5v5H7z"/><path fill="#e5a187" d="M7 0h5v5H7zM0 7h5v5H0z"/></svg>'

export default defineConfig({
  lang: 'en',
  title: 'SparkND',
  description: 'N-dimensional scatter and gather for Apache Spark',
  srcDir: './target/pages', // a copy of docs/, since pages find packages in folders above them
  outDir: './target/site',
  cacheDir: './target/cache',
  head: [['link', { rel: 'icon', href: 'data:image/svg+xml,' + encodeURIComponent(icon) }]],
  rewrites: { 'README.md': 'index.md', 'reference/sql/README.md': 'reference/sql/index.md' },
  markdown,
  vite: { publicDir: path('target/public/'), build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    nav: [
      { text: 'Quickstart', link: '/get-started/quickstart' },
      { text: 'SQL', link: '/reference/sql/' },
      { text: 'Java', link: '/reference/java' },
      ...(javadoc ? [{ text: 'Javadoc', link: '/javadoc/index.html', target: '_blank' }] : []),
    ],
    sidebar: sections(path('target/pages/')),
    outline: [2, 3],
    externalLinkIcon: true,
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        miniSearch: { options: { tokenize }, searchOptions: { fuzzy: 0.1, prefix: true, boost: { title: 6, titles: 2, text: 1 } } },
      },
    },
  },
})

/** Keeps names such as gather_nd whole, and finds them by their parts, too. */
function tokenize(text) {
  const words = text.split(/[^\p{L}\p{N}_.]+/u).map((word) => word.replace(/^\.+|\.+$/g, ''))
  return words.flatMap((word) => (/[_.]/.test(word) ? [word, ...word.split(/[_.]+/)] : [word])).filter(Boolean)
}
