// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url'
import { posix } from 'node:path'

const pages = fileURLToPath(new URL('../target/pages/', import.meta.url))

export const markdown = {
  theme: { light: 'github-light', dark: 'github-dark' },
  anchor: { slugify: anchor },
  config(md) {
    md.core.ruler.before('normalize', 'tabs', (state) => {
      state.src = tabs(state.src)
    })
    md.core.ruler.push('links', (state) => {
      state.tokens.forEach((token) => links(token.children ?? [], folder(state.env)))
    })
    md.core.ruler.push('plain', (state) => state.tokens.forEach(plain))
  },
}

/** Returns the anchor of a heading by GitHub's rules, as tests of the links in the repository do. */
function anchor(heading) {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/**
 * Makes tabs of what stands between comments, which other readers of the Markdown do not show:
 * <!-- tabs -->, <!-- tab SQL -->, <!-- tab Java -->, <!-- end of tabs -->.
 */
function tabs(text) {
  let groups = 0
  return text.replace(/^<!-- tabs -->\n([^]*?)^<!-- end of tabs -->$/gm, (_, body) => {
    const group = 'tabs-' + groups++
    const parts = [...body.matchAll(/^<!-- tab (.+) -->\n([^]*?)(?=^<!-- tab |$(?![^]))/gm)]
    const head = parts.map(([, name], i) => {
      const id = `${group}-${i}`
      return (
        `<input type="radio" name="${group}" id="${id}" data-tab="${name}"${i === 0 ? ' checked' : ''}>` +
        `<label for="${id}">${name}</label>`
      )
    })
    const panels = parts.map(([, , panel]) => `<div class="panel">\n\n${panel.trim()}\n\n</div>`)
    return `<div class="tabs">${head.join('')}\n${panels.join('\n')}\n</div>`
  })
}

/** Makes text of what Vue would take for its own: tags such as <name>, and double braces. */
function plain(token, i, tokens) {
  for (const child of token.children ?? []) {
    if (child.type === 'html_inline' && !/^<(!--|\/?(br|sub|sup)\b)/.test(child.content)) {
      child.type = 'text'
    }
  }
  if (token.type === 'inline' && token.content.includes('{{')) {
    tokens[i - 1].attrSet('v-pre', '')
  }
}

/** Returns the folder of the page in the repository. */
function folder(env) {
  const path = env.realPath ?? env.path ?? ''
  return posix.dirname(path.startsWith(pages) ? path.slice(pages.length) : (env.relativePath ?? ''))
}

/** Mends links to index pages, and replaces links to files beside docs, which the site does not have. */
function links(tokens, from) {
  let outside = false
  for (const token of tokens) {
    const href = token.type === 'link_open' ? token.attrGet('href') : null
    if (href !== null && !/^(\w+:|#|\/)/.test(href)) {
      const target = posix.normalize(posix.join(from, href))
      outside = target.startsWith('..')
      if (outside) {
        token.tag = 'span'
        token.attrs = [['title', 'in the repository: ' + target.replace(/^(\.\.\/)+/, '')]]
      } else {
        token.attrSet('href', href.replace(/(^|\/)README\.md/, '$1index.md'))
      }
    }
    if (token.type === 'link_close' && outside) {
      token.tag = 'span'
      outside = false
    }
  }
}
